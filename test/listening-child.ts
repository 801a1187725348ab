// Listens, and asks for further handles: the process that the tests of these kill.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addFurtherHandles, FurtherHandles } from '../src/listening-handles.ts';

const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
void addFurtherHandles([{ server, further: new FurtherHandles(server), count: 200 }]);
console.log((server.address() as AddressInfo).port);
