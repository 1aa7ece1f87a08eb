/**
 * The proposals of the bill document reader. Nothing is saved unseen: the form shows each value with its confidence and its place on the page,
 * and a user confirms or corrects it. Values are wire text: dates 'YYYY-MM-DD', amounts '123.45', readings decimal text, units our symbols,
 * `estimated` 'true' or 'false'.
 */
import { z } from 'zod'
import { accountTypes, type AccountType } from '../bills/bill.ts'

export const readBillFields = [
  'account_number',
  'vendor',
  'invoice_number',
  'date',
  'due_date',
  'balance_forward',
  'current_charges',
  'late_fee',
  'amount_due',
] as const
export type ReadBillField = (typeof readBillFields)[number]

export const readMeterFields = [
  'meter_number',
  'previous_read_date',
  'read_date',
  'previous_reading',
  'meter_reading',
  'multiplier',
  'usage',
  'unit',
  'utility_charges',
  'supply_charges',
  'estimated',
] as const
export type ReadMeterField = (typeof readMeterFields)[number]

/** Maximum pages of one document; one with more is refused. */
export const readPagesMax = 200
/** Largest file that is read, in bytes. */
export const readBytesMax = 50 * 1024 * 1024
/** Below this confidence a form asks for a check of the value. */
export const confidentFrom = 0.8

/** A position: `page` counts from 1 in the file, the rest are fractions of the page from its upper left corner. */
export interface ReadPlace {
  readonly page: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface ReadField<Field extends string = ReadBillField | ReadMeterField> {
  readonly field: Field
  readonly value: string
  /** The printed text; empty if the value was computed. */
  readonly printed: string
  /** 0 to 1. */
  readonly confidence: number
  /** Null if the value is not printed but follows from others. */
  readonly place: ReadPlace | null
}

export interface ReadMeter {
  /** The account's service with this meter number, if both are known. */
  readonly service_id: number | null
  readonly fields: readonly ReadField<ReadMeterField>[]
}

export interface ReadPage {
  readonly page: number
  /** Points, 72 per inch. */
  readonly width: number
  readonly height: number
  /** Text in the file, or letters recognised in a picture. */
  readonly source: 'text' | 'ocr'
}

export interface BillReading {
  readonly pages: readonly ReadPage[]
  /** Pages on which a bill seems to begin, always including the first page: more than one proposes a split. */
  readonly bills_begin_at: readonly number[]
  /** The fields of the first bill, each at most once. */
  readonly fields: readonly ReadField<ReadBillField>[]
  readonly meters: readonly ReadMeter[]
  readonly vendor_id: number | null
  readonly account: { readonly type: AccountType; readonly id: number } | null
  /** Whether confirmed values of earlier bills of the vendor were used. */
  readonly layout: 'learned' | 'general'
}

/** The values that a user saved for a document that was read: the vendor's layout is learned from them. */
export interface ConfirmedReading {
  readonly vendor_id: number | null
  readonly values: { readonly [Field in ReadBillField]?: string | null | undefined }
  readonly meters: readonly { readonly [Field in ReadMeterField]?: string | null | undefined }[]
}

/** A word on a page: text, then x, y, width and height in points, then the recognition's confidence from 0 to 1. */
export type ReadWord = readonly [text: string, x: number, y: number, width: number, height: number, confidence: number]

/** Every word of a document with its position: the input of a reading, and of learning a layout. Stored with the reading. */
export interface DocumentWords {
  readonly pages: readonly (ReadPage & { readonly words: readonly ReadWord[] })[]
}

const place: z.ZodType<ReadPlace> = z.object({ page: z.int(), x: z.number(), y: z.number(), width: z.number(), height: z.number() })
const fieldOf = <Field extends string>(fields: readonly Field[]): z.ZodType<ReadField<Field>> =>
  z.object({
    field: z.enum(fields),
    value: z.string(),
    printed: z.string(),
    confidence: z.number(),
    place: place.nullable(),
  })
const readPage = { page: z.int(), width: z.number(), height: z.number(), source: z.enum(['text', 'ocr']) }

/** A reading on the wire and in storage. */
export const billReading: z.ZodType<BillReading> = z.object({
  pages: z.array(z.object(readPage)),
  bills_begin_at: z.array(z.int()),
  fields: z.array(fieldOf(readBillFields)),
  meters: z.array(z.object({ service_id: z.int().nullable(), fields: z.array(fieldOf(readMeterFields)) })),
  vendor_id: z.int().nullable(),
  account: z.object({ type: z.enum(accountTypes.map((one) => one.value)), id: z.int() }).nullable(),
  layout: z.enum(['learned', 'general']),
})

/** The words of a document in storage. */
export const documentWords: z.ZodType<DocumentWords> = z.object({
  pages: z.array(
    z.object({ ...readPage, words: z.array(z.tuple([z.string(), z.number(), z.number(), z.number(), z.number(), z.number()])) }),
  ),
})
