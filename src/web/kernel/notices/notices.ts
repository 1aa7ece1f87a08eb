/** Notices after a call, by the specification's error catalogue. */
import type { Result } from '#contract/kernel/call.ts'
import type { RoleName } from '#contract/access/rights.ts'
import { notify, type NoticeInput } from '../../ui/dialogs/notices.ts'
import { ApiProblem } from '../api-problem.ts'
import { messages, seconds } from './messages.ts'

/** The common result notice: 'Success' with the message and, after a save, a link to the record, or 'Error' with the messages. */
export function resultNotice(
  { success, message }: Pick<Result, 'success' | 'message'>,
  duration: number = seconds.usual,
  link?: NoticeInput['link'],
): void {
  if (success) notify({ kind: 'success', title: messages.success, message, duration, link })
  else notify({ kind: 'error', title: messages.error, message, duration })
}

/** The common notice of a failed call. An ended session gets none, because the sign-in page reports it. */
export function problemNotice(error: unknown, duration: number = seconds.usual): void {
  if (isAbort(error) || (error instanceof ApiProblem && error.signedOut)) return
  notify({ kind: 'error', ...problemWords(error), duration })
}

/** Returns title and text of a failure. */
export function problemWords(error: unknown): { title: string; message?: string } {
  if (!(error instanceof ApiProblem))
    return { title: messages.an_error_occurred, message: error instanceof Error ? error.message : String(error) }
  if (error.kind === 'unreadable') return { title: messages.unknown_error }
  if (error.kind === 'refused') return { title: messages.error, message: joined(error.messages) }
  return { title: messages.request_error, message: error.statusText }
}

/** 'Request error' with the status text, for calls for which the specification demands it. */
export function requestErrorNotice(error: unknown): void {
  if (isAbort(error) || (error instanceof ApiProblem && error.signedOut)) return
  notify({
    kind: 'error',
    title: messages.request_error,
    message: error instanceof ApiProblem ? error.statusText : String(error),
    duration: seconds.usual,
  })
}

/** The notice of a deletion is the server's own message, on success and failure; a failed request shows 'Request error'. */
export function deleteNotice(result: Pick<Result, 'success' | 'message'>): void {
  notify({ kind: result.success ? 'success' : 'error', title: result.message, duration: seconds.usual })
}

/** A rejected deletion has the server's message too (with an error status); without one it is a failed request. */
export function deleteProblemNotice(error: unknown): void {
  if (error instanceof ApiProblem && error.body && !error.signedOut) deleteNotice({ success: false, message: error.body.message })
  else requestErrorNotice(error)
}

/**
 * Errors of background loading: shown to every user while the roles are not known, and only to the provider's administrators once they are
 * (G-SERVICE-ERRORS).
 */
export function serviceErrorNotice(error: unknown, roles: readonly RoleName[] | undefined): void {
  if (roles === undefined || roles.includes('super_admin') || roles.includes('muc_admin')) requestErrorNotice(error)
}

function joined(sentences: readonly string[]): string {
  return sentences.map((sentence) => sentence.replace(/\.$/, '')).join('. ')
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
