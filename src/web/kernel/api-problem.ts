import type { Result } from '#contract/kernel/call.ts'
import { problem, type Problem } from '#contract/kernel/problem.ts'

/**
 * `refused`: the server gave a reason. `plain`: an error status without our body. `unreadable`: the response is not JSON. `network`: no
 * response.
 */
export type ProblemKind = 'refused' | 'plain' | 'unreadable' | 'network'

/** The error of a failed call. Thrown only for calls to the server. */
export class ApiProblem extends Error {
  readonly kind: ProblemKind
  /** HTTP status, 0 without a response. */
  readonly status: number
  readonly statusText: string
  readonly body: Problem | null
  readonly requestId: string | undefined
  /** The delay that the server asks for, null if it named none. */
  readonly retryAfterSeconds: number | null

  constructor(
    kind: ProblemKind,
    status: number,
    statusText: string,
    body: Problem | null = null,
    { requestId, retryAfterSeconds = null }: { requestId?: string | undefined; retryAfterSeconds?: number | null } = {},
  ) {
    super(body?.message ?? statusText)
    this.name = 'ApiProblem'
    this.kind = kind
    this.status = status
    this.statusText = statusText
    this.body = body
    this.requestId = body?.request_id ?? requestId
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** The error as sentences; the status text if the server gave none. */
  get messages(): readonly string[] {
    const listed = this.body?.errors.full_messages ?? []
    return listed.length > 0 ? listed : [this.message]
  }

  /** Errors of single fields, by wire name. */
  get fields(): Readonly<Record<string, readonly string[]>> {
    return this.body?.errors.fields ?? {}
  }

  /** The session has ended; the redirect to the sign-in page has already started. */
  get signedOut(): boolean {
    return this.status === 401
  }

  get forbidden(): boolean {
    return this.status === 403
  }

  get notFound(): boolean {
    return this.status === 404
  }

  /** A retry may help: no response, too many requests, or a service is down. */
  get passing(): boolean {
    return this.kind === 'network' || this.status === 429 || this.status === 502 || this.status === 503 || this.status === 504
  }
}

/** Returns the reply of a save. A reply without the success flag counts as a failed request, and its message as the status text. */
export function accepted<Reply extends Pick<Result, 'success' | 'message'>>(reply: Reply): Reply {
  if (!reply.success) throw new ApiProblem('plain', 200, reply.message)
  return reply
}

/** Reads a response with an error status. */
export async function problemOfAnswer(response: Response): Promise<ApiProblem> {
  const statusText = reasonOf(response.status, response.statusText)
  const body = problem.safeParse(await response.json().catch(() => null))
  const requestId = response.headers.get('x-request-id') ?? undefined
  const pause = /^\d{1,6}$/.exec(response.headers.get('retry-after') ?? '')?.[0]
  const more = { requestId, retryAfterSeconds: pause === undefined ? null : Number(pause) }
  return body.success
    ? new ApiProblem('refused', response.status, statusText, body.data, more)
    : new ApiProblem('plain', response.status, statusText, null, more)
}

/** HTTP/2 has no status text, so the usual text replaces it. */
export function reasonOf(status: number, given: string): string {
  return given || (reasons[status] ?? `Status ${status}`)
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Payload Too Large',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}
