/** The thresholds of the audits by level, the effect of changing them, and the precision of each rule. */
import { z } from 'zod'
import { accountTypes } from '../bills/bill.ts'
import { auditSettingsPatch, auditSettingsSchema } from './settings.ts'
import { call, result } from '../kernel/call.ts'

/** The effective settings of a level, its own ones, and the inherited ones. */
const levelReply = z.object({ audit_settings: auditSettingsSchema, own: auditSettingsPatch, inherited: auditSettingsSchema })
const saved = z.intersection(result, z.object({ task_id: z.int().optional() }))

const ruleChange = z.object({ code: z.string(), raised: z.int(), gone: z.int() })
export type RuleChange = z.infer<typeof ruleChange>

const tried = z.object({
  accounts: z.int(),
  bills: z.int(),
  raised: z.int(),
  gone: z.int(),
  rules: z.array(ruleChange),
  /** True if only the most recently billed accounts were checked. */
  is_sample: z.boolean(),
})
export type TriedSettings = z.infer<typeof tried>

/** How often a rule found something, and how users resolved it. */
const rulePrecision = z.object({
  code: z.string(),
  raised: z.int(),
  open: z.int(),
  /** Resolved as data fixed, or gone after an edit of the bill: the rule was right. */
  mistakes: z.int(),
  /** Resolved as in order: vendor confirmed, seasonal, known event, meter changed, other. */
  no_problem: z.int(),
  /** Gone by itself or after a change of thresholds: no evidence about the rule. */
  gone: z.int(),
  reasons: z.record(z.string(), z.int()),
  /** Mistakes as a share of all judged findings, in percent with one decimal; null if none was judged. */
  precision: z.string().nullable(),
})
export type RulePrecision = z.infer<typeof rulePrecision>
const precision = z.object({ rules: z.array(rulePrecision) })

const settingsBody = z.strictObject({ audit_settings: auditSettingsPatch })
const id = z.int().positive()

export const auditSettingsCalls = {
  ofClient: call({
    name: 'audit_settings.of_client',
    method: 'GET',
    path: '/clients/:client_id/audit_settings',
    may: 'client.read',
    summary: 'The thresholds that bills of a client are checked by, before accounts and services overwrite them',
    reply: levelReply,
  }),
  saveOfClient: call({
    name: 'audit_settings.save_of_client',
    method: 'PUT',
    path: '/clients/:client_id/audit_settings',
    may: 'client.update',
    summary: 'Says which thresholds differ for a client; its recent bills are audited again',
    body: settingsBody,
    reply: saved,
  }),
  tryOfClient: call({
    name: 'audit_settings.try_of_client',
    method: 'POST',
    path: '/clients/:client_id/audit_settings/try',
    effect: 'read',
    heavy: true,
    may: 'bill.read',
    summary: 'How many findings other thresholds would raise and take back on recent bills; of the client, an account or a service',
    body: z.strictObject({
      audit_settings: auditSettingsPatch.optional(),
      audits_off: z.boolean().optional(),
      account_type: z.enum(accountTypes.map(({ value }) => value)).optional(),
      account_id: id.optional(),
      service_id: id.optional(),
    }),
    reply: tried,
  }),
  precisionOfClient: call({
    name: 'audit_settings.precision_of_client',
    method: 'GET',
    path: '/clients/:client_id/audit_settings/precision',
    may: 'client.read',
    summary: 'Of each audit, how often it spoke about bills of a client and what people made of it',
    reply: precision,
  }),
  get: call({
    name: 'audit_settings.get',
    method: 'GET',
    path: '/audit_settings',
    may: 'setting.read',
    summary: 'The thresholds that hold for every client that has none of its own',
    reply: levelReply,
  }),
  save: call({
    name: 'audit_settings.save',
    method: 'PUT',
    path: '/audit_settings',
    may: 'setting.update',
    summary: 'Says which thresholds of the installation differ from the product’s; the recent bills of all clients are audited again',
    body: settingsBody,
    reply: saved,
  }),
  try: call({
    name: 'audit_settings.try',
    method: 'POST',
    path: '/audit_settings/try',
    effect: 'read',
    heavy: true,
    may: 'setting.update',
    summary: 'How many findings other thresholds of the installation would raise and take back on recent bills',
    body: settingsBody,
    reply: tried,
  }),
  precision: call({
    name: 'audit_settings.precision',
    method: 'GET',
    path: '/audit_settings/precision',
    may: 'setting.read',
    summary: 'Of each audit, how often it spoke about bills of the clients in reach and what people made of it',
    reply: precision,
  }),
}
