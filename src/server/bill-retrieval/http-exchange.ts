/** One exchange with a provider, repeated where it may succeed later. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { AllowedHosts, OutsideAnswer, OutsideRequest, RequestLimits } from '../kernel/http/outside-request.ts'
import { guardedRequest, requestLimits } from './guarded-request.ts'
import { isDelayFault, ProviderError, type ProviderFault } from './provider.ts'

export interface HttpProviderSettings {
  readonly id?: string
  readonly label?: string
  /** URL below which the four calls lie: https://retrieval.example.com/v1 */
  readonly baseUrl: string
  readonly tokenUrl: string
  readonly clientId: string
  /** From the server's configuration only; it is sent to the token URL and nowhere else. */
  readonly clientSecret: string
  readonly scope?: string
  readonly allowed: AllowedHosts & { readonly hosts: readonly string[] }
  readonly limits?: RequestLimits
  /** Milliseconds before the second, third and fourth try. */
  readonly backoffMs?: readonly number[]
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** Three more tries, with increasing delays. */
const BACKOFF_MS = [500, 2_000, 8_000]
/** Longest wait for a service, whatever its Retry-After says. */
const RETRY_AFTER_MAX_MS = 30_000

/** One exchange with its retries: on 429, on 5xx and without an answer in time; never on another 4xx. */
export async function exchange(outside: OutsideRequest, settings: HttpProviderSettings): Promise<OutsideAnswer> {
  const delays = settings.backoffMs ?? BACKOFF_MS
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await attemptOf(outside, settings)
    if ('answer' in outcome) return outcome.answer
    const delay = delays[attempt]
    if (delay === undefined || !isDelayFault(outcome.error)) throw outcome.error
    await sleep(Math.max(delay, outcome.retryAfterMs))
  }
}

type Outcome = { answer: OutsideAnswer } | { error: ProviderError; retryAfterMs: number }

async function attemptOf(outside: OutsideRequest, settings: HttpProviderSettings): Promise<Outcome> {
  try {
    const answer = await guardedRequest(outside, settings.allowed, settings.limits ?? requestLimits)
    if (answer.status >= 200 && answer.status < 300) return { answer }
    const wait = Number(answer.headers['retry-after'] ?? 0) * 1_000
    const error = new ProviderError(faultOfStatus(answer.status), `The service answered ${answer.status}${messageOf(answer)}`)
    return { error, retryAfterMs: Number.isFinite(wait) ? Math.min(wait, RETRY_AFTER_MAX_MS) : 0 }
  } catch (error) {
    if (error instanceof ProviderError) return { error, retryAfterMs: 0 }
    throw error
  }
}

function faultOfStatus(status: number): ProviderFault {
  if (status === 401) return 'signed_out'
  if (status === 403) return 'needs_action'
  if (status === 404 || status === 410) return 'not_found'
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'unavailable' : 'bad_answer'
}

const faultMessage = z.object({ message: z.string().max(500) })

/** Returns the service's own message if it sends one, never its whole page. */
function messageOf(answer: OutsideAnswer): string {
  const said = faultMessage.safeParse(jsonOf(answer.bytes))
  return said.success ? `: ${said.data.message}` : '.'
}

/** Returns the validated answer, or throws its error in one line. */
export function read<T>(schema: z.ZodType<T>, answer: OutsideAnswer): T {
  const json = jsonOf(answer.bytes)
  if (json === undefined) throw new ProviderError('bad_answer', 'The service answered something that is not JSON.')
  const checked = schema.safeParse(json)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  throw new ProviderError(
    'bad_answer',
    `The service's answer is not in the agreed form: ${issue?.path.join('.') || 'answer'}: ${issue?.message ?? 'unknown'}`,
  )
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    // The caller reports what could not be read; the text itself may contain anything and is not repeated.
    return undefined
  }
}
