/** The ten errors that the product throws. They are caught at the edges only and get one common shape. */
import { joinedMessages, problemCodes, type Problem, type ProblemCode } from '#contract/kernel/problem.ts'

export class Failure extends Error {
  readonly code: ProblemCode
  readonly fields: Readonly<Record<string, readonly string[]>>
  readonly extra: {
    changed?: Problem['changed']
    record_id?: number
    record_ids?: Record<string, number>
    retryAfterSeconds?: number
    /** True if a second person is needed. The security log has such refusals. */
    apart?: boolean
    /** True if what is paid has changed since it was approved or shown. The security log has such refusals. */
    payment_changed?: boolean
  }

  constructor(code: ProblemCode, message: string, fields: Failure['fields'] = {}, extra: Failure['extra'] = {}) {
    super(message)
    this.name = 'Failure'
    this.code = code
    this.fields = fields
    this.extra = extra
  }

  get status(): number {
    return problemCodes[this.code]
  }
}

export const signedOut = (message = 'Please sign in.'): Failure => new Failure('signed_out', message)
export const forbidden = (message = 'You may not do this.'): Failure => new Failure('forbidden', message)
/** One answer for a record that is absent and for one outside the reader's scope, so that ids do not leak. */
export const notFound = (message = 'Not found.'): Failure => new Failure('not_found', message)
/** The same, by the name of the kind of record. */
export const noSuch = (name: string): Failure => notFound(`${name} not found.`)
/** The sent data breaks the rules; `fields` names each field with its messages. */
export const invalid = (fields: Failure['fields'], message?: string): Failure =>
  new Failure('invalid', message ?? joinedMessages(Object.values(fields).flat()), fields)
/** A business rule forbids it now; `recordId` names the record that blocks it. */
export const refused = (message: string, recordId?: number): Failure =>
  new Failure('refused', message, {}, recordId === undefined ? {} : { record_id: recordId })
/** Two writers met: the loser may try again. */
export const busy = (): Failure => refused('Somebody else is changing the same records. Please try again.')
/** A sent id names no record that the caller reaches. `count` is the number of ids in the field. */
export const unknownRecords = (field: string, count = 1): Failure =>
  invalid({ [field]: [count === 1 ? unknownRecord : 'One of these records cannot be found'] })
export const unknownRecord = 'This record cannot be found'
/** A masked value was sent back changed, or for another record. */
export const typedInFull = (label: string): string => `${label} must be typed in full`
/** Another person has to do it: the caller made, changed or asked for what is decided here, or counts as one person with who did. */
export const notApart = (message: string): Failure => new Failure('refused', message, {}, { apart: true })
/** What would be paid is not what was approved, or what its person was shown. */
export const paymentChanged = (message: string): Failure => new Failure('refused', message, {}, { payment_changed: true })
/** The same as `refused` for several rows of a body, by the field of each refused row. */
export const refusedRows = (
  message: string,
  rows: Readonly<Record<string, { readonly reason: string; readonly recordId: number }>>,
): Failure => {
  const fields = Object.fromEntries(Object.entries(rows).map(([key, { reason }]) => [key, [reason]]))
  const record_ids = Object.fromEntries(Object.entries(rows).map(([key, { recordId }]) => [key, recordId]))
  const [record_id] = Object.values(record_ids)
  return new Failure('refused', message, fields, record_id === undefined ? {} : { record_id, record_ids })
}
/** Another user saved meanwhile; `changed` lists the changes field by field. */
export const stale = (changed: NonNullable<Problem['changed']>): Failure =>
  new Failure('stale', 'This record was changed by somebody else meanwhile.', {}, { changed })
export const tooMuch = (code: 'too_large' | 'too_many', message: string, retryAfterSeconds?: number): Failure =>
  new Failure(code, message, {}, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
export const unavailable = (message = 'A part of the system is down. Please try again shortly.'): Failure =>
  new Failure('unavailable', message, {}, { retryAfterSeconds: 2 })
/** More was requested at once than this process can handle; nothing of it was begun. */
export const overloaded = (retryAfterSeconds: number): Failure =>
  new Failure('overloaded', 'The system is busy. Please try again shortly.', {}, { retryAfterSeconds })
/** A disk is full. The caller may try again when the operator has freed space, which takes a while. */
export class NoRoom extends Failure {
  constructor() {
    const message = 'There is no room left to store this. Please tell whoever runs the server, and try again when there is room.'
    super('unavailable', message, {}, { retryAfterSeconds: 30 })
  }
}

/** Returns the body of a refusal. Unknown errors reveal nothing internal; the log has the details under the request id. */
export function problemOf(error: unknown, requestId: string): { status: number; body: Problem; retryAfterSeconds?: number } {
  const failure = error instanceof Failure ? error : new Failure('failed', 'Something went wrong on our side.')
  const listed = Object.values(failure.fields).flat()
  return {
    status: failure.status,
    body: {
      success: false,
      message: failure.message,
      errors: {
        full_messages: listed.length > 0 ? listed : [failure.message],
        fields: Object.fromEntries(Object.entries(failure.fields).map(([key, messages]) => [key, [...messages]])),
      },
      code: failure.code,
      request_id: requestId,
      ...(failure.extra.changed ? { changed: failure.extra.changed } : {}),
      ...(failure.extra.record_id === undefined ? {} : { record_id: failure.extra.record_id }),
      ...(failure.extra.record_ids === undefined ? {} : { record_ids: failure.extra.record_ids }),
    },
    ...(failure.extra.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: failure.extra.retryAfterSeconds }),
  }
}
