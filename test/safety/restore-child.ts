import { restoreInto } from '../../src/safety/restore.ts';

const [folder = '', file = ''] = process.argv.slice(2);
process.stdout.write('ready\n');
await restoreInto({ folder }, file);
