/** A mail server on this machine that keeps its mails, for tests that read their mail as people do. */
import { SMTPServer } from 'smtp-server'
import { vi } from 'vitest'
import { atEndOfFile } from './end-of-file.ts'

export interface Received {
  readonly to: readonly string[]
  readonly messageId: string
  /** The mail's text part, decoded. */
  readonly text: string
  /** The whole message as it came. */
  readonly message: string
}

export interface Postbox {
  readonly url: string
  /** The mails in the order of their arrival. */
  readonly received: readonly Received[]
  /** While true, a mail is taken and never acknowledged. */
  hold(isHolding: boolean): void
  /** Refuses mails to this address with these words from now on; null takes them again. */
  refuse(address: string, reply: { readonly code: number; readonly words: string } | null): void
  /** Waits for the newest mail to an address with a matching text. */
  mailTo(address: string, text: RegExp): Promise<Received>
}

const waitMs = 30_000

/** Listens until the test file ends. */
export async function startPostbox(): Promise<Postbox> {
  const received: Received[] = []
  let holds = false
  const refusals = new Map<string, { readonly code: number; readonly words: string }>()
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 100,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => {
      const refused = refusals.get(address)
      done(refused === undefined ? null : Object.assign(new Error(refused.words), { responseCode: refused.code }))
    },
    onData: (stream, session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const message = Buffer.concat(parts).toString('latin1')
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          messageId: /^message-id: *(\S+)/im.exec(message)?.[1] ?? '',
          text: textPart(message),
          message,
        })
        if (!holds) done()
      })
    },
  })
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      const address = listening.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  atEndOfFile(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    hold: (isHolding) => {
      holds = isHolding
    },
    refuse: (address, reply) => void (reply === null ? refusals.delete(address) : refusals.set(address, reply)),
    mailTo: (address, text) =>
      vi.waitFor(
        () => {
          const mail = received.findLast((one) => one.to.includes(address) && text.test(one.text))
          if (!mail) throw new Error(`no mail to ${address} that says ${text.source}`)
          return mail
        },
        { timeout: waitMs, interval: 50 },
      ),
  }
}

/** Returns the first text/plain part of a message, decoded from quoted-printable or base64. */
function textPart(message: string): string {
  const boundary = /boundary="?([^"\r\n;]+)/i.exec(message)?.[1]
  const parts = boundary === undefined ? [message] : message.split(`--${boundary}`)
  const part = parts.find((one) => /content-type: text\/plain/i.test(one)) ?? message
  const [head = '', ...body] = part.split('\r\n\r\n')
  const text = body.join('\r\n\r\n')
  if (/content-transfer-encoding: base64/i.test(head)) return Buffer.from(text, 'base64').toString()
  if (!/content-transfer-encoding: quoted-printable/i.test(head)) return text
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
