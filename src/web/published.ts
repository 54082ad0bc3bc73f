import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { etagOf } from '../domain/cached-json.ts';

/** Bytes that anybody may read, made ready once. */
export interface Published {
  readonly headers: Readonly<Record<string, string>>;
  readonly plain: Variant;
  readonly compressed: Variant;
}

interface Variant {
  readonly bytes: Buffer;
  readonly etag: string;
}

const compress = promisify(gzip);

/** `headers` besides the type. */
export async function publish(
  type: string,
  content: Buffer | string,
  headers: Record<string, string> = {},
): Promise<Published> {
  const bytes = Buffer.from(content);
  const compressed = await compress(bytes);
  return {
    headers: { 'Content-Type': type, Vary: 'Accept-Encoding', 'Cache-Control': 'public, max-age=300', ...headers },
    plain: { bytes, etag: etagOf(bytes) },
    compressed: { bytes: compressed, etag: etagOf(compressed) },
  };
}

/** Answers GET and HEAD: 304 where the client has these bytes already, else 200. */
export function sendPublished(request: Request, response: Response, { headers, plain, compressed }: Published): void {
  const packed = request.acceptsEncodings('gzip', 'identity') === 'gzip';
  const { bytes, etag } = packed ? compressed : plain;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('ETag', etag);
  if (request.fresh) {
    response.removeHeader('Content-Type');
    response.writeHead(304).end();
    return;
  }
  if (packed) response.setHeader('Content-Encoding', 'gzip');
  response.writeHead(200, { 'Content-Length': bytes.byteLength }).end(bytes);
}
