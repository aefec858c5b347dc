"""The Glossary page: what every measure and every word means."""
