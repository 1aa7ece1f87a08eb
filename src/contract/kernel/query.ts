/**
 * The query grammar of every list: q[key], q[key_predicate], q[s]='column direction', page, per, values, with_total and with_rows. Unknown
 * parameters are refused by name, never ignored.
 */
import { z } from 'zod'

export const pageSizeDefault = 10
export const pageSizeMax = 1000
/** Upper bound of `page` and `per`; a page beyond the last row is empty anyway. */
export const pageMax = 1_000_000_000
/** Maximum length of one filter value. */
export const filterLengthMax = 500
/** Maximum values of one `in` filter. */
export const filterValuesMax = 1000

export const predicates = ['cont', 'eq', 'not_eq', 'gteq', 'lteq', 'in', 'null'] as const
export type Predicate = (typeof predicates)[number]

export interface Filter {
  readonly key: string
  readonly predicate: Predicate
  /** Text for `cont`; the field's own type for the comparisons; a list for `in`; whether it must be empty for `null`. */
  readonly value: string | number | boolean | readonly (string | number)[]
}

export interface Sort {
  readonly key: string
  readonly direction: 'asc' | 'desc'
}

export interface ListQuery {
  readonly filters: readonly Filter[]
  readonly sort: Sort
  readonly page: number
  readonly per: number
  /** Ids of the records requested by `values`. */
  readonly values: readonly number[] | null
  readonly searchTerm: string
  readonly withTotal: boolean
  readonly withRows: boolean
}

/** Input of a caller; numbers and texts are equivalent, since it is part of the address. */
export interface ListInput {
  readonly q?: Readonly<Record<string, string | number | boolean | readonly (string | number)[] | undefined>> | undefined
  readonly page?: string | number | undefined
  readonly per?: string | number | undefined
  readonly values?: string | undefined
  readonly search_term?: string | undefined
  readonly with_total?: string | boolean | undefined
  readonly with_rows?: string | boolean | undefined
  /** Rows of these clients and vendors, and for bills only unpaid ones; a list without such columns ignores them. */
  readonly client_id?: string | readonly string[] | undefined
  readonly vendor_id?: string | readonly string[] | undefined
  readonly unpaid?: string | boolean | undefined
}

/** Selected rows of a list: by id, or all that match its filters, with exceptions. */
export interface RowSelection {
  readonly ids?: readonly number[] | undefined
  readonly filter?: Pick<ListInput, 'q' | 'search_term'> | undefined
  readonly except?: readonly number[] | undefined
}

/** A number of an address, such as a page. */
export const wholeNumber = z.union([z.string().regex(/^[1-9]\d{0,8}$/, 'must be a positive whole number'), z.int().positive()])
/** The message for parameters that a query does not know. */
export const unknownParameters = (issue: { readonly code?: string; readonly keys?: unknown }): string | undefined =>
  issue.code === 'unrecognized_keys' && Array.isArray(issue.keys) ? `Unknown parameter: ${issue.keys.join(', ')}` : undefined

/** One id, or several as `client_id[]=1&client_id[]=2` or separated by commas. */
const idsWritten = /^[1-9]\d{0,15}(,[1-9]\d{0,15})*$/
const oneIds = z.string().max(20_000).regex(idsWritten, 'must be an id')
const idsText = z.union([oneIds, z.array(oneIds).max(filterValuesMax)], { error: 'must be an id' }).optional()

/** Parameters of every list and its export besides `q`. */
export const sharedInput = {
  client_id: idsText,
  vendor_id: idsText,
  unpaid: z.union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' }).optional(),
}
export type SharedKey = keyof typeof sharedInput
export const sharedKeys: readonly SharedKey[] = ['client_id', 'vendor_id', 'unpaid']

/** The shape of a list's query, before its keys are checked against the entity. */
export const listInput: z.ZodType<ListInput> = z.strictObject(listShape(), {
  error: unknownParameters,
})

/** The same shape with further parameters of one call, such as `client_id` or `unpaid`. */
export function listInputWith<Extra extends z.core.$ZodLooseShape>(extra: Extra): z.ZodType<ListInput & z.output<z.ZodObject<Extra>>> {
  return merged(
    z.strictObject(
      { ...listShape(), ...extra },
      {
        error: unknownParameters,
      },
    ),
  )
}

/** A refused part of a query: the parameter's name and the error. */
export interface QueryFault {
  readonly key: string
  readonly message: string
}

function listShape() {
  const scalar = z.union([z.string(), z.number(), z.boolean()])
  return {
    q: z.record(z.string().max(100), z.union([scalar, z.array(z.union([z.string(), z.number()])).max(filterValuesMax)])).optional(),
    page: z.union([z.string(), z.number()]).optional(),
    per: z.union([z.string(), z.number()]).optional(),
    values: z.string().max(20_000).optional(),
    search_term: z.string().max(filterLengthMax).optional(),
    with_total: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
    with_rows: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
    ...sharedInput,
  }
}

/** The two shapes are spread into one; the compiler cannot follow that through a generic. */
function merged<T>(schema: z.ZodType): z.ZodType<T>
function merged(schema: z.ZodType): z.ZodType {
  return schema
}
