/** The kinds of fields that a bill and its lines have. */
import { z } from 'zod'
import { date, decimal, money, month } from '../kernel/entity.ts'
import { orNull, type RecordField } from '../kernel/record.ts'

const firstBillYear = '1900'
const lastBillYear = '2199'
const sentMax = 200
export const notesMax = 10_000

type Required = RecordField<string, string, string, 'must'>
type Optional = RecordField<string | null, string | null, string, 'may'>

/** A year outside is a typing error, and a line with such dates would fill thousands of months. */
const isBillYear = (value: string): boolean => {
  const year = /^(\d{4})-/.exec(value)?.[1]
  return year === undefined || (year >= firstBillYear && year <= lastBillYear)
}
const outsideBillYears = (name: string): string => `${name} must lie between ${firstBillYear} and ${lastBillYear}`
const daySchema = (name: string) => date(name).schema.refine(isBillYear, outsideBillYears(name))
export const monthSchema = (name: string) => month(name).schema.refine(isBillYear, outsideBillYears(name))
const decimalText = z.string().regex(/^-?\d+(\.\d+)?$/)

const textual = { use: 'may', typed: z.string(), empty: '' } as const
const sentText = (max: number) => z.string().max(max).nullable().optional()

export function requiredDay(name: string, lock: string, more: { readonly label?: string; readonly isSilent?: boolean } = {}): Required {
  const sent = z.string().max(40).optional()
  return {
    label: name,
    name,
    ...textual,
    use: 'must',
    draft: daySchema(name),
    sent,
    answered: z.iso.date(),
    placeholder: '2000-01-01',
    lock,
    ...more,
  }
}

export function requiredMoney(name: string, lock: string): Required {
  const sent = z.string().max(40).optional()
  const draft = money(name).schema
  return { label: name, name, ...textual, use: 'must', draft, sent, answered: z.string(), placeholder: '0.00', scale: 2, lock }
}

export function optionalText(
  name: string,
  schema: z.ZodType<string>,
  lock: string,
  more: { readonly label?: string; readonly isSilent?: boolean; readonly max?: number } = {},
): Optional {
  const { max = sentMax, ...rest } = more
  return { label: name, name, ...textual, draft: orNull(schema), sent: sentText(max), answered: z.string().nullable(), lock, ...rest }
}

export function optionalDay(name: string, lock: string): Optional {
  return { ...optionalText(name, daySchema(name), lock), answered: z.iso.date().nullable() }
}

export function optionalDecimal(name: string, scale: number, more: { readonly label?: string; readonly whole?: number } = {}): Optional {
  const { whole, label = name } = more
  const schema = decimal(name, scale, whole === undefined ? {} : { whole }).schema
  return { ...optionalText(name, schema, 'lines', { label }), answered: decimalText.nullable(), scale }
}

export function flag(label: string, lock: string, isSilent = false): RecordField<boolean, boolean, boolean, 'may'> {
  const own = { draft: z.boolean().default(false), sent: z.boolean().optional(), answered: z.boolean(), typed: z.boolean(), empty: false }
  return { label, name: label, use: 'may', ...own, lock, isSilent }
}

const id = z.int().positive()

/** The id of another record. */
export function link(label: string, lock: string, isSilent = false): RecordField<number | null, number | null, number | null, 'may'> {
  const own = { draft: orNull(id), sent: id.nullable().optional(), answered: z.int().nullable(), typed: z.number().nullable(), empty: null }
  return { label, name: label, use: 'may', ...own, lock, isSilent }
}

const modes = z.enum(['replace', 'add']).nullable()
export const mode: RecordField<'replace' | 'add' | null, 'replace' | 'add' | null, 'replace' | 'add' | null, 'may'> = {
  label: 'Correction',
  name: 'Correction',
  use: 'may',
  draft: orNull(z.enum(['replace', 'add'])),
  sent: modes.optional(),
  answered: modes,
  typed: modes,
  empty: null,
  lock: 'rebill',
}

/** A missing late fee is none. */
export const lateFee: RecordField<string | null, string, string, 'may'> = {
  ...optionalText('Late Fee', z.string(), 'charges'),
  draft: z.preprocess((value) => (value === '' ? '0.00' : (value ?? '0.00')), money('Late Fee').schema),
  scale: 2,
}

export const service: RecordField<number, number, number | null, 'must'> = {
  label: 'Service',
  name: 'Service',
  use: 'must',
  draft: id,
  sent: id.optional(),
  answered: z.int(),
  typed: z.number().nullable(),
  empty: null,
  placeholder: 0,
  lock: 'line_set',
}
