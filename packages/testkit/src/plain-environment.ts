// Vite shows its settings to pages; processes that tests start would take `BASE_URL` for one of theirs.
for (const name of ['BASE_URL', 'MODE', 'DEV', 'PROD', 'SSR']) delete process.env[name];
