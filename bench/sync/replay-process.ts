// Run as a process of its own, so that its time and memory are not those of the sync: says where it listens, and how many
// requests it has answered whenever it is asked.
import { startReplay } from '../../test/sources/github/replay/server.ts';
import { benchHistory } from './history.ts';

const server = await startReplay(benchHistory(Number(process.argv[2])));
process.on('message', () => process.send?.({ requests: server.seen.length }));
process.on('disconnect', () => process.exit());
process.send?.({ url: server.url });
