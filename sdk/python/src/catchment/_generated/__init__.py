"""Generated: `npm run generate` and `npm run generate:python`."""
