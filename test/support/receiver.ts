/** An external program, on this machine: it accepts what is sent to it and answers as configured. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { atEndOfFile } from './end-of-file.ts'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Sets the answer from now on; 200 by default. */
  answerBy(answer: (response: ServerResponse, asked: Received) => void): void
}

/** Listens on a free port until the test file ends. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const plain = (response: ServerResponse): void => void response.writeHead(200).end('thanks')
  let answer: (response: ServerResponse, asked: Received) => void = plain
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const asked = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString('utf8') }
      received.push(asked)
      answer(response, asked)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEndOfFile(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, received, answerBy: (next) => void (answer = next) }
}
