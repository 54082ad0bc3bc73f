import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { etagOf } from '../domain/etag.ts';
import { hasCurrent } from './none-match.ts';

/** A public response. Each of its encodings is made at the first request that needs it, and kept in memory. */
export interface Published {
  readonly headers: Readonly<Record<string, string>>;
  readonly plain: () => Promise<Variant>;
  readonly compressed?: () => Promise<Variant>;
}

interface Variant {
  readonly bytes: Buffer;
  readonly etag: string;
}

const compress = promisify(gzip);

/**
 * Prepares a public response. Clients may cache it for 5 minutes unless `headers` say otherwise. Does not compress a gzip archive again,
 * because browsers would save it with both layers.
 */
export function publish(type: string, content: Buffer | string, headers: Record<string, string> = {}): Published {
  const bytes = Buffer.from(content);
  return {
    headers: { 'Content-Type': type, Vary: 'Accept-Encoding', 'Cache-Control': 'public, max-age=300', ...headers },
    plain: once(async () => bytes),
    ...(type !== 'application/gzip' && { compressed: once(() => compress(bytes)) }),
  };
}

function once(make: () => Promise<Buffer>): () => Promise<Variant> {
  let variant: Promise<Variant> | undefined;
  return () => {
    variant ??= make().then((bytes) => ({ bytes, etag: etagOf(bytes) }));
    return variant;
  };
}

/** Answers GET and HEAD: 304 if the client already has these bytes, otherwise 200. */
export async function sendPublished(request: Request, response: Response, published: Published): Promise<void> {
  const isGzip = request.acceptsEncodings('gzip', 'identity') === 'gzip';
  const compressed = isGzip ? published.compressed : undefined;
  const { bytes, etag } = await (compressed ?? published.plain)();
  for (const [name, value] of Object.entries(published.headers)) response.setHeader(name, value);
  response.setHeader('ETag', etag);
  if (hasCurrent(request, response)) {
    response.removeHeader('Content-Type');
    response.writeHead(304).end();
    return;
  }
  if (compressed) response.setHeader('Content-Encoding', 'gzip');
  response.writeHead(200, { 'Content-Length': bytes.byteLength });
  Readable.from(slicesOf(bytes)).pipe(response);
}

const sliceBytes = 65_536;

/** Splits a response, because over TLS, Node copies each write at once and whole, even if the client does not read. */
function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
}
