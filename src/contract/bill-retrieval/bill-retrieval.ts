/**
 * Bills from a retrieval service: statements are fetched and stored, each with a state that shows whether it can become a bill; a user
 * chooses, and a task creates the bills. Every record is the specification's third-party bill record with its state.
 */
import { z } from 'zod'
import { chosenRecordSchema, newAccounts, missingMeters } from './retrieval-choice.ts'

export const count = z.int()
/** Statements by state, for the whole client and for each utility. States without statements are absent. */
export const statementCounts = z.object({
  by_state: z.record(z.string(), count),
  by_utility: z.array(z.object({ provider_name: z.string(), total: count, by_state: z.record(z.string(), count) })),
})
export type StatementCounts = z.infer<typeof statementCounts>

export const serviceStatus = z.object({
  provider: z.string(),
  label: z.string(),
  ok: z.boolean(),
  message: z.string().nullable(),
  /** Accounts by the state of their sign-in at the utility. */
  credentials: z.object({ ok: count, failed: count, needs_action: count }),
  /** The time of the last complete fetch, the latest bill date then, and the error of the last fetch. */
  checked_at: z.string().nullable(),
  read_until: z.string().nullable(),
  failed_at: z.string().nullable(),
  error: z.string().nullable(),
  counts: statementCounts,
})
export type RetrievalStatus = z.infer<typeof serviceStatus>

const suggestion = z.object({ id: z.int(), name: z.string() })
export const accountsNeeded = z.object({
  utilities: z.array(
    z.object({
      provider_name: z.string(),
      statements: count,
      accounts: count,
      commodities: z.array(z.string()),
      /** The vendor that this utility was matched to before, or one with the same name. */
      vendor: suggestion.nullable(),
    }),
  ),
  /** At most `accountsNeededMax`, those with the most statements first. */
  accounts: z.array(
    z.object({
      provider_name: z.string(),
      account_number: z.string(),
      statements: count,
      first_date: z.string().nullable(),
      last_date: z.string().nullable(),
      commodities: z.array(z.string()),
      service_address: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
  total: count,
})
export type AccountsNeeded = z.infer<typeof accountsNeeded>

export const accountsNeededMax = 2_000
/** Most records that one call may name; more are chosen by `all_matching`. */
export const recordsPerCallMax = 5_000
export const statementsPerImportMax = 20_000
export const utilitiesPerCallMax = 500

const q = z.record(
  z.string().max(100),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()])).max(1_000)]),
)
const filter = z.strictObject({ q: q.optional() })

export type MissingMeters = (typeof missingMeters)[number]

export const importBody = z.strictObject({
  data: z
    .array(chosenRecordSchema)
    .min(1, 'Choose at least one record')
    .max(recordsPerCallMax, `At most ${recordsPerCallMax} records; choose all that match instead`)
    .optional(),
  /** Everything that matches the filter, instead of `data`. */
  all_matching: z.boolean().optional(),
  filter: filter.optional(),
  new_accounts: z.array(newAccounts).max(utilitiesPerCallMax).optional(),
  missing_meters: z.enum(missingMeters).optional(),
  connection_id: z.string().max(100).optional(),
})
export type ImportBody = z.infer<typeof importBody>

export const choiceBody = z.strictObject({
  file_ids: z.array(z.string().min(1).max(300)).min(1).max(recordsPerCallMax).optional(),
  all_matching: z.boolean().optional(),
  filter: filter.optional(),
  reason: z.string().trim().max(500).optional(),
})
export type ChoiceBody = z.infer<typeof choiceBody>

/** The result of an import by outcome; the first refused ones by name, all of them in the task's file. */
export const importResult = z.object({
  read: count,
  created: count,
  duplicate: count,
  /** Not created, each with its reason. */
  refused: count,
  /** Created before this import began. */
  before: count,
  drafts: count,
  new_accounts: count,
  new_services: count,
  reasons: z.record(z.string(), count),
  records: z.array(
    z.object({
      statement_id: z.string(),
      file_id: z.string(),
      account_number: z.string(),
      bill_date: z.string().nullable(),
      state: z.string(),
      reason: z.string(),
      /** The statement, and the bill that it repeats. */
      id: z.int().optional(),
      bill_id: z.int().nullable().optional(),
    }),
  ),
})
export type ImportResult = z.infer<typeof importResult>
export const reportedRecordsMax = 500

export const fetchResult = z.object({
  listed: count,
  fetched: count,
  /** Statements that the service listed but could not deliver; the next fetch requests them again. */
  failed: count,
  failures: z.array(z.object({ statement_id: z.string(), account_number: z.string(), message: z.string() })),
  counts: statementCounts,
})
export type FetchResult = z.infer<typeof fetchResult>
