/** The heads of the audit's chains as a file, with their seal. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { ChainHead } from './audit-chain.ts'

export interface Heads {
  /** Raised by one each time: an old file is known by it. */
  readonly number: number
  readonly made_at: string
  readonly keyed_from: number | null
  /** The last seal of all chains that was looked at. */
  readonly position: number
  readonly chains: readonly ChainHead[]
}

const written = z.object({
  number: z.int(),
  made_at: z.string(),
  keyed_from: z.int().nullable(),
  position: z.int(),
  chains: z.array(z.tuple([z.int(), z.int(), z.int(), z.hex()])),
})
const envelope = z.object({ heads: written, mac: z.hex() })

type Written = z.output<typeof written>

/** The text of the file. */
export function writtenHeads(key: Buffer, heads: Heads): { text: string; mac: Buffer } {
  const flat: Written = { ...heads, chains: heads.chains.map((one) => [one.client_id, one.count, one.position, one.hash.toString('hex')]) }
  const mac = macOf(key, flat)
  return { text: JSON.stringify({ heads: flat, mac: mac.toString('hex') }), mac }
}

/** Null where the text was changed, or was written with another key. */
export function openedHeads(key: Buffer, text: string): Heads | null {
  const read = envelope.safeParse(jsonOf(text))
  if (!read.success) return null
  const { heads, mac } = read.data
  const [given, expected] = [Buffer.from(mac, 'hex'), macOf(key, heads)]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const chains = heads.chains.map(([client_id, count, position, hash]) => ({ client_id, count, position, hash: Buffer.from(hash, 'hex') }))
  return { ...heads, chains }
}

function macOf(key: Buffer, heads: Written): Buffer {
  return createHmac('sha256', key)
    .update(`heads ${JSON.stringify(written.parse(heads))}`)
    .digest()
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
