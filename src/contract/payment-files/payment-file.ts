/**
 * Input and output of payment files: plain values, so that the same input gives the same bytes. Amounts are whole cents, dates YYYY-MM-DD, times
 * HH:MM in New York. Account numbers are complete here: this never leaves the server, and nothing of it is logged.
 */
import type { CalendarDate } from '../kernel/date.ts'
import type { Cents } from '../kernel/money.ts'
import type { FileFormat, LayoutChoices, LayoutVersion } from './layout.ts'

/** First word of a file's name. */
export type ExportType = 'ACH' | 'Autopay' | 'Avid' | 'Check' | 'Check - OVERNIGHT' | 'NP' | 'OP' | 'Accounting'

export type AccountType = 'checking' | 'savings' | 'general_ledger' | 'loan'
/** Remittance information that a vendor gets about the bills of one payment. */
export type Remittance = 'ctx' | 'per_bill' | 'none'
export type PrenoteState = 'none' | 'sent' | 'accepted' | 'returned'

export interface AddressForFile {
  readonly street_address_1: string | null
  readonly street_address_2: string | null
  readonly city: string | null
  readonly state: string | null
  readonly zip: string | null
}

/** The paying account, and the file formats of its bank: a row of originating_profiles with its account number decrypted. */
export interface ProfileForFile {
  readonly id: number
  /** 0 is the provider's own profile. */
  readonly client_id: number
  readonly name: string
  readonly bank_name: string | null
  readonly routing_number: string | null
  readonly immediate_destination: string | null
  readonly immediate_destination_name: string | null
  readonly immediate_origin: string | null
  readonly immediate_origin_name: string | null
  readonly company_name: string | null
  readonly company_id: string | null
  readonly discretionary_data: string | null
  readonly entry_description: string
  readonly account_number: string | null
  readonly account_type: 'checking' | 'savings'
  /** True if the bank requires a debit of the payer's account in each batch. */
  readonly balanced: boolean
  /** Banking days from the bank's acceptance of the file to its settlement. */
  readonly lead_days: number
  /** HH:MM in New York; a file created later counts for the next banking day. */
  readonly cutoff_time: string
  readonly same_day_allowed: boolean
  readonly line_end: 'lf' | 'crlf' | 'none'
  readonly character_set: 'standard' | 'narrow'
  readonly entry_limit: Cents | null
  readonly file_limit: Cents | null
  /** By format; a missing format uses its preset. */
  readonly layouts: LayoutChoices
  readonly avid_payer_id: string | null
  readonly avid_bank_account_id: string | null
  readonly payer_address: AddressForFile
}

export interface PayerForFile {
  readonly client_id: number
  readonly name: string
  readonly short_code: string
}

/** The vendor with its approved details at the time of the export. */
export interface VendorForFile {
  readonly id: number
  readonly name: string
  readonly short_code: string
  /** The payer's own number for the vendor. */
  readonly client_vendor_number: string | null
  readonly is_exclusive: boolean
  /** `po_box` of the vendor, decrypted. */
  readonly routing_number: string | null
  /** `payment_identifier` of the vendor, decrypted. */
  readonly account_number: string | null
  readonly account_type: AccountType
  readonly account_holder: string | null
  readonly remittance: Remittance
  readonly prenote_state: PrenoteState
  readonly prenote_date: CalendarDate | null
  readonly phone: string | null
  readonly remit_name: string | null
  /** The vendor's remit-to address, or else its own address. */
  readonly remit_address: AddressForFile
}

export interface BillForFile {
  readonly id: number
  readonly account_number: string
  readonly invoice_number: string | null
  readonly date: CalendarDate
  readonly due_date: CalendarDate
  readonly amount_due: Cents
  readonly amount_paid: Cents
  /** Notes for this bill in its batch: the confirmation number of OP. */
  readonly notes: string | null
}

/** One vendor payment of a batch with all its bills. */
export interface PaymentForFile {
  readonly id: number
  readonly payer: PayerForFile
  /** The profile from profileOfPayer; null if the payer has none. */
  readonly profile_id: number | null
  readonly batch_id: number
  readonly batch_date: CalendarDate
  readonly vendor: VendorForFile
  /** The type of the batch, and the type it was moved to; equal if it was not moved. */
  readonly payment_type: string
  readonly effective_type: string
  /** The date on a check; null if none was entered. */
  readonly payment_date: CalendarDate | null
  readonly check_number: string | null
  /** A void check in a positive pay file. */
  readonly is_void: boolean
  readonly amount: Cents
  readonly bills: readonly BillForFile[]
}

/** The creation time stated in a file, in New York. */
export interface FileMoment {
  readonly date: CalendarDate
  /** HH:MM. */
  readonly time: string
}

export interface ExportInput {
  readonly type: ExportType
  readonly format: FileFormat
  readonly moment: FileMoment
  readonly profiles: readonly ProfileForFile[]
  readonly payments: readonly PaymentForFile[]
  /** For an export of one exclusive vendor: used in the names. */
  readonly vendor_name: string | null
  /** A test file for the bank: its name says so, and nothing of it counts as paid. */
  readonly is_test: boolean
}

/** An obstacle to an export, found before anything is allocated or written. */
export interface FileFault {
  readonly code: string
  /** The fault in one sentence. */
  readonly sentence: string
  /** The record's column with the fault. */
  readonly field: string | null
  readonly client_id: number | null
  readonly payer_name: string | null
  readonly profile_id: number | null
  readonly vendor_id: number | null
  readonly vendor_name: string | null
  readonly batch_id: number | null
  readonly vendor_payment_id: number | null
  readonly bill_id: number | null
  /** The console page where it can be fixed. */
  readonly link: string | null
}

/** One file that an export will make: used to allocate its identity, and shown in a preview. */
export interface PlannedFile {
  /** The position in the export, from 0, and the export's number of files. */
  readonly place: number
  readonly file_count: number
  readonly family: 'nacha' | 'layout'
  /** Null if the file has no sending point, and so no modifier. */
  readonly immediate_destination: string | null
  readonly immediate_origin: string | null
  /** The first 8 digits of the payers' bank; null if the file has no trace numbers. */
  readonly odfi: string | null
  /** Number of trace numbers that the file uses. */
  readonly trace_count: number
  readonly bank_name: string | null
  /** Its settlement days, earliest first; none if nothing settles by this file. */
  readonly effective_dates: readonly CalendarDate[]
  readonly profile_ids: readonly number[]
  readonly payer_count: number
  readonly payment_count: number
  readonly bill_count: number
  readonly total: Cents
  readonly payments: readonly PaymentForFile[]
  /** The version of the profile's own layout; null for a ready-made layout. */
  readonly layout_version: LayoutVersion | null
}

/** The values unique to a file. They are allocated and stored before a byte is written. */
export interface FileIdentity {
  /** A to Z, then 0 to 9 (modifierAt); null if the file has no sending point. */
  readonly modifier: string | null
  /** The number of the first entry, at least 1; the next ones follow without a gap. Null if the file has no trace numbers. */
  readonly first_trace: number | null
  /** Used in the name of a file without modifier; any number unique on that day, such as the file's own id. */
  readonly sequence: number
}

/** Payee and amount of one line of the file. */
export interface FileEntry {
  readonly client_id: number
  readonly payment_batch_id: number
  readonly vendor_payment_id: number
  /** Set only if the vendor gets an entry for each bill. */
  readonly bill_id: number | null
  /** 15 digits. */
  readonly trace_number: string | null
  readonly amount: Cents
  /** Its settlement day by the banking calendar; null if nothing settles by the file. */
  readonly effective_date: CalendarDate | null
  readonly routing_last4: string | null
  readonly account_last4: string | null
}

/** Totals read back from the bytes, not taken from the input. */
export interface FileControl {
  /** Lines of the file, including filler and heading. */
  readonly records: number
  readonly batches: number
  readonly entries: number
  readonly addenda: number
  readonly entry_hash: string | null
  readonly debit: Cents
  readonly credit: Cents
}

export interface BuiltFile {
  readonly name: string
  readonly content_type: string
  readonly bytes: Uint8Array
  readonly control: FileControl
  readonly entries: readonly FileEntry[]
  readonly plan: PlannedFile
  /** The last trace sequence that the file used. */
  readonly last_trace: number | null
}
