/** One request to the retrieval service, only to hosts on a list; the kernel's guarded request with the provider's own faults. */
import {
  outsideRequest,
  OutsideProblem,
  type AllowedHosts,
  type OutsideAnswer,
  type OutsideRequest,
  type RequestLimits,
} from '../kernel/http/outside-request.ts'
import { ProviderError } from './provider.ts'

/** 3 s to connect, 30 s in total, 50 MB. */
export const requestLimits: RequestLimits = { connectMs: 3_000, totalMs: 30_000, maxBytes: 50_000_000 }

/**
 * Throws a ProviderError: refused for a host that is not allowed, unavailable without an answer in time, bad_answer if the answer is too
 * large.
 */
export async function guardedRequest(
  outside: OutsideRequest,
  allowed: AllowedHosts & { readonly hosts: readonly string[] },
  limits: RequestLimits = requestLimits,
): Promise<OutsideAnswer> {
  const answer = await outsideRequest(outside, allowed, limits).catch((error: unknown) => {
    throw error instanceof OutsideProblem ? faultOf(error) : error
  })
  if (answer.status >= 300 && answer.status < 400)
    throw new ProviderError('refused', `The service answered with a redirect (${answer.status}), which is not followed.`)
  return answer
}

function faultOf(problem: OutsideProblem): ProviderError {
  return new ProviderError(problem.fault === 'too_large' ? 'bad_answer' : problem.fault, problem.message, { cause: problem })
}
