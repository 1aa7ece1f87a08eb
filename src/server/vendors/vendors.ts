/**
 * Vendors. Bank details are never saved with the rest: they wait for a second user (request-bank-changes.ts). The kernel masks the two numbers
 * in every response and keeps them out of exports.
 */
import { routingNumberDoubt } from '#contract/vendors/routing-number.ts'
import { payeeFields } from '#contract/vendors/payee-fields.ts'
import { vendor, vendorCalls, type Vendor, type VendorDraft } from '#contract/vendors/vendor.ts'
import { sql } from 'kysely'
import { areTied, mustBeProven } from '../access/access.ts'
import { saveLinks } from '../kernel/lists/children.ts'
import type { Context } from '../kernel/context.ts'
import { defineWhere } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { searchHandler } from '../kernel/lists/lookup.ts'
import { notApart } from '../kernel/problem.ts'
import { isMasked } from '../kernel/secret.ts'
import { answerWrite, askedBy, createRow, crudHandlers, optionsAnswer, readRow, updateRow, type Saving } from '../kernel/lists/resource.ts'
import { z } from 'zod'
import { bankChangeHandlers } from './bank-change-handlers.ts'
import { requestBankChanges, type BankDraft } from './request-bank-changes.ts'
import { hasApproverBeside } from './tell-of-bank-changes.ts'
import { vendorTarget } from './vendor-import.ts'
import { vendors } from './vendor-source.ts'

export { requestBankChanges } from './request-bank-changes.ts'
export { personName, vendors } from './vendor-source.ts'

export const vendorImportTarget = vendorTarget(vendors)

const saving: Saving<(typeof vendor)['fields']> = {
  added: async (context, draft, before) => {
    if (before !== null && movesMoney(draft, before)) await mustBeProven(context)
    const { remittance_email: email } = draft
    // A bounce is that of an address: another one is tried.
    return before === null || email === undefined || email === before.remittance_email ? {} : { remittance_bounced_at: null }
  },
  children: saveLists,
}
/** Vendors that can be chosen; an inactive vendor chosen before still shows its name. */
const isOffered = defineWhere('offered_vendors', z.object({}), () => sql<boolean>`vendors.active`)

/** Vendors that bill one of the client's accounts. */
const ofClient = defineWhere(
  'vendors_of_client',
  z.object({ client_id: z.int() }),
  ({ client_id }) => sql<boolean>`vendors.id in (
  select vendor_id from billable_accounts where client_id = ${client_id} union select vendor_id from supply_accounts where client_id = ${client_id})`,
)

export const vendorHandlers: readonly Handler[] = [
  ...Object.values({
    ...crudHandlers(vendorCalls, vendors),
    create: handle(vendorCalls.create, async (context, { params, body }) => {
      const { bank, rest } = parted(body.vendor)
      const { id } = await createRow(
        context,
        vendors,
        { ...rest, name: body.vendor.name, short_code: body.vendor.short_code },
        undefined,
        saving,
      )
      return saved(context, 'created', id, params, bank)
    }),
    update: handle(vendorCalls.update, async (context, { params, body }) => {
      const { bank, rest } = parted(body.vendor)
      if (rest.prenote_state === 'accepted') await mustBeApartForPrenote(context, params.id)
      await updateRow(context, vendors, params.id, rest, askedBy(context, params), saving)
      return saved(context, 'updated', params.id, params, bank)
    }),
    selectOptions: handle(vendorCalls.selectOptions, (context, { params, query }) =>
      optionsAnswer(context, vendors, query, { ...askedBy(context, params), ...(query.values ? {} : isOffered({})) }, [
        'id',
        'name',
        'display_name',
      ]),
    ),
    clientSearch: searchHandler(vendorCalls.clientSearch, vendors, ['id', 'name', 'display_name'], ({ client_id }) =>
      ofClient({ client_id }),
    ),
  }),
  ...bankChangeHandlers,
]

/** Whether a change sends checks elsewhere, pays by other means, or trusts a bank account. */
function movesMoney(draft: Partial<VendorDraft>, before: Vendor): boolean {
  const isOther = (key: (typeof payeeFields)[number]) => draft[key] !== undefined && (draft[key] ?? null) !== (before[key] ?? null)
  const { payment_method_ids: methods, prenote_state: prenote } = draft
  const isPaidOtherwise = methods !== undefined && methods.join() !== before.payment_methods.map(({ id }) => id).join()
  const trustsAccount = prenote === 'accepted' && before.prenote_state !== 'accepted'
  return payeeFields.some(isOther) || isPaidOtherwise || trustsAccount
}

/** A prenote proves that the bank knows the account. The person who asked for the account does not say so. */
async function mustBeApartForPrenote({ tx, principal }: Context, id: number): Promise<void> {
  const { rows } = await sql<{ changed_by: number }>`select bank_changed_by as changed_by from vendors
    where id = ${id} and bank_changed_by is not null and prenote_state <> 'accepted' for update`.execute(tx)
  const [changed] = rows
  if (changed && (await areTied(tx, principal.user_id, changed.changed_by)))
    throw notApart(
      'You asked for the bank details of this vendor, or count as one person with who did. Somebody else has to accept its prenote.',
    )
}

function parted(draft: Partial<VendorDraft> & { lock_version?: number | undefined }) {
  const { po_box, payment_identifier, account_type, account_holder, ...rest } = draft
  const bank: BankDraft = { po_box, payment_identifier, account_type, account_holder }
  return { bank, rest }
}

async function saved(context: Context, verb: 'created' | 'updated', id: number, params: object, bank: BankDraft) {
  const waiting = await requestBankChanges(context, [{ vendorId: id, draft: bank }])
  if (waiting.length > 0) await mustBeProven(context)
  const row: Vendor = await readRow(context, vendors, id, askedBy(context, params))
  const answer = answerWrite(vendor, verb, row)
  return waiting.length === 0 ? answer : { ...answer, message: [answer.message, ...(await remarks(context, bank))].join('. ') }
}

async function remarks(context: Context, { po_box: routing }: BankDraft): Promise<string[]> {
  const doubt = typeof routing === 'string' && !isMasked(routing) ? routingNumberDoubt(routing) : null
  const others = await hasApproverBeside(context, context.principal.user_id)
  return [
    others
      ? 'The bank details wait until somebody else approves them'
      : 'The bank details wait until somebody else approves them, and nobody else can yet: another administrator is needed',
    ...(doubt === null ? [] : [doubt.replace(/\.$/, '')]),
  ]
}

/** The order of the ids is the vendor's order: the first method is how it is paid. */
async function saveLists({ tx }: Context, draft: Partial<VendorDraft>, { id }: { readonly id: number }): Promise<void> {
  await saveLinks(
    tx,
    { table: 'vendor_payment_methods', parent: { vendor_id: id }, column: 'payment_method_id', ordered: true },
    draft.payment_method_ids,
  )
  if (draft.aliases === undefined) return
  await sql`delete from vendor_aliases where vendor_id = ${id}`.execute(tx)
  await sql`insert into vendor_aliases (vendor_id, alias) select ${id}, alias from unnest(${draft.aliases}::text[]) with ordinality as given(alias, place) order by place`.execute(
    tx,
  )
}
