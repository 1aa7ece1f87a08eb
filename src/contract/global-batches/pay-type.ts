/** Payment types. A batch has the type of its bills, and may be moved to another one for the day. */

/** In the order of the tabs. */
export const payTypes = ['ACH', 'Autopay', 'Avid', 'Check', 'Check - OVERNIGHT', 'NP', 'OP'] as const
export type PayType = (typeof payTypes)[number]

/** Returns the label of a type's tab, if it differs from its name. */
export const payTypeTab = (type: PayType): string => (type === 'Check - OVERNIGHT' ? 'CO' : type)

/** Types to which a batch may be moved for the day. */
export const temporaryTypes = ['NP', 'OP', 'Avid'] as const
export type TemporaryType = (typeof temporaryTypes)[number]

/** The types that determine how a batch is paid. */
export interface TypedBatch {
  /** The type of its bills. */
  readonly payment_method: string | null
  readonly temp_pay_method: string | null
}

export const effectiveType = ({ payment_method, temp_pay_method }: TypedBatch): string | null => temp_pay_method ?? payment_method

/** Returns the type for lists: 'OP (Check)' for a moved batch. */
export const payTypeName = ({ payment_method, temp_pay_method }: TypedBatch): string =>
  temp_pay_method === null ? (payment_method ?? '') : `${temp_pay_method} (${payment_method ?? ''})`

/** Bank formats of an ACH export, as the export names them. */
export const achFormats = [
  { value: 'standard', label: 'Standard' },
  { value: 'nacha_plus', label: 'NACHA+' },
  { value: 'ach_2', label: 'ACH 2 Internal' },
  { value: 'ach_bank', label: 'ACH Bank' },
] as const

/** Maximum total, in cents, of a batch that may be moved to NP (no payment). */
export const noPaymentMaxCents = 100
