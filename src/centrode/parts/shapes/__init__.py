"""What bodies are drawn as, one kind a file; nothing here touches or weighs."""
