"""What the two servers share of HTTP: bodies and connections within limits, replies, certificates, loops."""
