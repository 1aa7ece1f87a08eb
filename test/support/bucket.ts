/** Just enough of S3 to observe the requests; it proves nothing about signatures. */
import { createServer, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { S3Settings } from '../../src/server/kernel/files/files.ts'
import { atEndOfFile } from './end-of-file.ts'

const NAME = 'bills'
const PAGE_MAX = 1_000

interface Bucket {
  readonly settings: S3Settings
  /** Method and path of each request, in order. */
  readonly asked: string[]
  keys(): readonly string[]
  /** Stores an object with this modification time. */
  place(key: string, changedAt: Date): void
  clear(): void
  /** The next object that is read breaks off after this many bytes. */
  cutAfter(bytes: number): void
  /** Answers browsers of this origin as the CORS rule of docs/operations.md makes a bucket answer; without it, no page of another origin. */
  allow(origin: string): void
  /** Stops listening at its address. */
  stop(): Promise<void>
}

interface Stored {
  readonly bytes: Buffer
  readonly changedAt: Date
}

/** Ends with the test file. */
export async function startBucket(): Promise<Bucket> {
  const objects = new Map<string, Stored>()
  const asked: string[] = []
  let cut: number | undefined
  let allowed: string | undefined
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://s3')
    const key = url.pathname.slice(NAME.length + 2)
    asked.push(`${request.method} ${url.pathname}`)
    if (allowed !== undefined && request.headers.origin === allowed) response.setHeader('access-control-allow-origin', allowed)
    if (request.method === 'OPTIONS') return sendPreflight(response, request.headers['access-control-request-headers'] ?? '')
    void buffer(request).then((bytes) => {
      if (url.searchParams.has('list-type')) return void response.end(listing(objects, url.searchParams))
      if (request.method === 'PUT') objects.set(key, { bytes, changedAt: new Date() })
      if (request.method === 'DELETE') objects.delete(key)
      if (request.method === 'PUT' || request.method === 'DELETE') return void response.writeHead(200).end()
      nameAsAsked(response, url.searchParams)
      sendObject(response, objects.get(key), { isHead: request.method === 'HEAD', cut })
      if (request.method === 'GET') cut = undefined
    })
  })
  const endpoint = await new Promise<string>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`)
    })
  })
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  atEndOfFile(stop)
  return {
    settings: { bucket: NAME, accessKeyId: 'id', secretAccessKey: 'secret', region: 'us-east-1', endpoint, forcePathStyle: true },
    asked,
    keys: () => [...objects.keys()],
    place: (key, changedAt) => void objects.set(key, { bytes: Buffer.from('placed'), changedAt }),
    clear: () => objects.clear(),
    allow: (origin) => {
      allowed = origin
    },
    cutAfter: (bytes) => {
      cut = bytes
    },
    stop,
  }
}

/** The browser asks before it puts. The rule allows a PUT with these two headers and no others. */
function sendPreflight(response: ServerResponse, wanted: string): void {
  const isKnown = wanted.split(',').every((name) => ['content-type', 'content-md5'].includes(name.trim()))
  if (!response.hasHeader('access-control-allow-origin') || !isKnown) return void response.writeHead(403).end()
  response.writeHead(200, { 'access-control-allow-methods': 'PUT', 'access-control-allow-headers': 'content-type, content-md5' }).end()
}

/** A signed address names the type and the disposition of its answer. */
function nameAsAsked(response: ServerResponse, query: URLSearchParams): void {
  for (const name of ['content-type', 'content-disposition']) {
    const wanted = query.get(`response-${name}`)
    if (wanted !== null) response.setHeader(name, wanted)
  }
}

function sendObject(
  response: ServerResponse,
  found: Stored | undefined,
  { isHead, cut }: { isHead: boolean; cut: number | undefined },
): void {
  if (!found) return void response.writeHead(404, { 'content-type': 'application/xml' }).end('<Error><Code>NoSuchKey</Code></Error>')
  response.writeHead(200, { 'content-length': found.bytes.length, 'last-modified': found.changedAt.toUTCString() })
  if (isHead) return void response.end()
  if (cut === undefined) return void response.end(found.bytes)
  response.write(found.bytes.subarray(0, cut), () => response.destroy())
}

/** ListObjectsV2: a page in the order of the keys, and the token of the next one. */
function listing(objects: ReadonlyMap<string, Stored>, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? ''
  const after = query.get('continuation-token') ?? ''
  const size = Math.min(Number(query.get('max-keys') ?? PAGE_MAX), PAGE_MAX)
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted()
  const page = keys.slice(0, size)
  const contents = page.map((key) => {
    const { bytes, changedAt } = objects.get(key) ?? { bytes: Buffer.alloc(0), changedAt: new Date(0) }
    return `<Contents><Key>${key}</Key><LastModified>${changedAt.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`
  })
  const isTruncated = keys.length > page.length
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${NAME}</Name><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`
}
