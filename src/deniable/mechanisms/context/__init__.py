"""Context-aware mechanisms, which protect only what is sensitive."""
