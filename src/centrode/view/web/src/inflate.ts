// Bytes that a page carries.

/** Bytes of a base-64 zlib stream. */
export async function inflate(text: string): Promise<Uint8Array> {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
