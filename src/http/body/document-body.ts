import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type DocumentFormat,
  documentTooLarge,
  maxDocumentBytes,
  readDocument,
} from '../../documents/document-text.ts';
import { Refusal } from '../../refusal.ts';
import { foreignForm } from './json-body.ts';

export const documentTypes: Readonly<Record<DocumentFormat, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
};

/** Reads bodies as documents: JSON or YAML, as the header Content-Type says. For a scope of its own. */
export function acceptDocuments(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const format = formatOfBody(request);
    if (Number(request.headers['content-length'] ?? 0) > maxDocumentBytes) throw documentTooLarge();
    return readDocument(await received(payload), format);
  });
}

function formatOfBody(request: FastifyRequest): DocumentFormat {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const format = (['json', 'yaml'] as const).find((one) => documentTypes[one] === type);
  if (!format) {
    throw new Refusal(
      'not-json',
      'The document must be JSON or YAML, sent with Content-Type: application/json or application/yaml.',
    );
  }
  const refusal = foreignForm(request, format.toUpperCase());
  if (refusal) throw refusal;
  return format;
}

/** The bytes of a body whose sender may not have said how many there are. What is too much is read and thrown away. */
function received(payload: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    payload.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxDocumentBytes) chunks.push(chunk);
      else reject(documentTooLarge());
    });
    payload.once('end', () => resolve(Buffer.concat(chunks)));
    payload.once('error', reject);
    payload.once('close', () =>
      reject(new Refusal('bad-input', 'The connection ended in the middle of the document.')),
    );
  });
}
