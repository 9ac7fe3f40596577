"""Forces: springs, dampers, ropes, gravity and other laws that push without constraining."""
