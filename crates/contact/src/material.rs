//! What bodies are made of, and what two materials do when they meet.
