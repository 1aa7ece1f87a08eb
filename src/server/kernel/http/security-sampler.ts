/** Bounds the security log: a flood must not fill the disk. Equal events are written a few times a minute and then only counted. */
import type { Log, LogFields } from '../log.ts'
import type { SecurityEventDraft } from '../security-events.ts'
import type { SecurityEvent } from './security-facts.ts'

/** Lines a minute of one kind from one network or person. Further events are counted and reported in one line. */
export const alikePerMinute = 10
/** Lines a minute of all who are not signed in: whoever has many networks fills neither the disk nor the room of others. */
export const linesPerMinute = 60
/** Lines a minute of all who are signed in. */
const signedInLinesPerMinute = 480
export const minuteMs = 60_000

export interface Told {
  readonly event: SecurityEvent
  /** The person or the network. */
  readonly who: string
  readonly signedIn: boolean
  readonly draft: SecurityEventDraft | undefined
}

interface SamplerParts {
  readonly log: Log
  readonly clock: () => number
  /** Receives an event with the number of its like that were left out. */
  readonly onLeftOut: (draft: SecurityEventDraft | undefined, times: number) => void
}

interface LeftOut {
  readonly event: SecurityEvent
  readonly draft: SecurityEventDraft | undefined
  times: number
}

export function createSampler({ log, clock, onLeftOut }: SamplerParts) {
  let began = clock()
  const lines = { signedIn: 0, others: 0 }
  const alike = new Map<string, number>()
  const leftOut = new Map<string, LeftOut>()
  const flush = (): void => {
    if (leftOut.size > 0) log.warn('security events were left out', { events: countsOf([...leftOut.values()]) })
    for (const { draft, times } of leftOut.values()) onLeftOut(draft, times)
    leftOut.clear()
    alike.clear()
    Object.assign(lines, { signedIn: 0, others: 0 })
    began = clock()
  }
  const leaveOut = (key: string, event: SecurityEvent, draft: SecurityEventDraft | undefined): void => {
    // The use of a key is written once a minute: it shows that the key is in use, and from where.
    if (event === 'api_key_used') return
    const found = leftOut.get(key) ?? { event, draft, times: 0 }
    leftOut.set(key, { ...found, times: found.times + 1 })
  }
  const flushIfDue = (): void => {
    if (clock() - began >= minuteMs) flush()
  }
  return {
    flush,
    flushIfDue,
    /** @returns whether the event was written. */
    tell({ event, who, signedIn, draft }: Told, fields: () => LogFields): boolean {
      flushIfDue()
      const key = `${event} ${who}`
      const count = alike.get(key) ?? 0
      const group = signedIn ? 'signedIn' : 'others'
      if (count >= (event === 'api_key_used' ? 1 : alikePerMinute)) leaveOut(key, event, draft && ofSubject(draft))
      // Events beyond the room of all are counted together, or each network of a flood would have its row.
      else if (lines[group] >= (signedIn ? signedInLinesPerMinute : linesPerMinute)) leaveOut(event, event, draft && ofNobody(draft))
      else {
        alike.set(key, count + 1)
        lines[group] += 1
        log.info('security', { event, ...fields() })
        return true
      }
      return false
    },
  }
}

function countsOf(all: readonly LeftOut[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { event, times } of all) counts.set(event, (counts.get(event) ?? 0) + times)
  return Object.fromEntries(counts)
}

/** The person or the network that many equal events share. */
function ofSubject(draft: SecurityEventDraft): SecurityEventDraft {
  const { user_id, network } = draft
  return { ...ofNobody(draft), user_id, network: user_id === null ? network : null }
}

function ofNobody({ kind, outcome }: SecurityEventDraft): SecurityEventDraft {
  return { kind, outcome, user_id: null, client_id: null, network: null, ip_address: null, route: null, request_id: null }
}
