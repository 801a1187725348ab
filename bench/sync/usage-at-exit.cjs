// Required before a command that is measured: notes at its end what its process has used. With PLUMB_MEMORY there are two
// of them, of which the larger one does the work.
const { appendFileSync } = require('node:fs');

process.on('exit', () => appendFileSync(process.env.USAGE_FILE, `${JSON.stringify(process.resourceUsage())}\n`));
