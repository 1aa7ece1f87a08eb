/** The statement behind the tied people: ties of the last years, and what the two people did to one batch, release or change of bank details. */
import { tiedPairDaysMax } from '#contract/security-log/tied-pair.ts'
import { sql, type RawBuilder } from 'kysely'
import { now } from '../kernel/clock.ts'

const DAY_MS = 86_400_000
/** Days of acts that are looked at: two years, as an auditor asks for. */
const actsDays = 731

const words = sql`case tie.kind when 'made' then 'made the user' when 'enabled' then 'let them in again' when 'granted' then 'granted a role'
  when 'widened' then 'changed a role' when 'email' then 'set the address' when 'factor' then 'removed the second factor' else 'set the password' end`

/** One person hangs on the other; or both on a third, who did so to each within the same days. */
function ties(): RawBuilder<unknown> {
  return sql`tie as (select id, user_id, tied_to, kind, created_at from user_ties tie where tie.created_at > ${since(actsDays + tiedPairDaysMax)}),
  tied as (select tie.id, tie.tied_to as person_id, tie.user_id as other_id, null::bigint as through_id, ${words} as word, tie.created_at from tie
    union all select greatest(one.id, tie.id), one.user_id, tie.user_id, tie.tied_to, ${words}, greatest(one.created_at, tie.created_at)
      from tie join tie one on one.tied_to = tie.tied_to and one.user_id < tie.user_id
        and one.created_at between tie.created_at - ${days()} and tie.created_at + ${days()})`
}

/** Each act names the money by subject, client and id. A batch of the desk and one of a client lie in one table. */
function acts(): RawBuilder<unknown> {
  const batch = sql`case when batch.is_global then 'global_batch' else 'payment_batch' end as subject, batch.client_id, batch.id as record_id`
  const ofFile = sql`from global_batch_files file join global_batch_file_batches held on held.global_batch_file_id = file.id
    join payment_batches batch on batch.client_id = held.client_id and batch.id = held.payment_batch_id`
  const release = sql`'export_release' as subject, 0::bigint as client_id, release.id as record_id`
  const change = sql`'vendor_bank_change' as subject, 0::bigint as client_id, change.id as record_id`
  return sql`act as (
    select ${batch}, batch.created_by as user_id, 'made' as word, batch.created_at as at from payment_batches batch
    union all select ${batch}, said.user_id, case said.kind when 'requested' then 'asked for approval' else said.kind end, said.created_at
      from payment_batch_approvals said join payment_batches batch on batch.client_id = said.client_id and batch.id = said.payment_batch_id
      where said.kind in ('requested', 'approved')
    union all select ${batch}, record.user_id, 'closed', record.created_at from audit_records record
      join payment_batches batch on batch.client_id = record.client_id and batch.id = record.item_id
      where record.item_type = 'payment_batch' and record.event = 'update' and record.object_changes -> 'closed' ->> 'to' = 'true'
    union all select ${batch}, file.created_by, case held.purpose when 'accounting' then 'wrote the accounting file' else 'exported' end, file.created_at ${ofFile}
    union all select ${batch}, entry.bank_changed_by, 'asked for the bank details that it paid first', entry.bank_changed_at
      from global_batch_file_payments entry join vendor_payments payment on payment.client_id = entry.client_id and payment.id = entry.vendor_payment_id
      join payment_batches batch on batch.client_id = payment.client_id and batch.id = payment.payment_batch_id where entry.is_first_payment
    union all select ${batch}, reversal.created_by, 'took a payment back', reversal.created_at
      from payment_reversals reversal join vendor_payments payment on payment.client_id = reversal.client_id and payment.id = reversal.vendor_payment_id
      join payment_batches batch on batch.client_id = payment.client_id and batch.id = payment.payment_batch_id
    union all select ${release}, release.requested_by, 'asked for the release', release.requested_at from export_releases release
    union all select ${release}, release.decided_by, release.state, release.decided_at from export_releases release where release.state in ('released', 'refused')
    union all select ${release}, batch.created_by, 'made a batch of it', batch.created_at from export_releases release
      join export_release_batches held on held.export_release_id = release.id
      join payment_batches batch on batch.client_id = held.client_id and batch.id = held.payment_batch_id
    union all select ${change}, change.requested_by, 'asked for the change', change.requested_at from vendor_bank_changes change
    union all select ${change}, change.decided_by, change.state, change.decided_at from vendor_bank_changes change where change.state in ('approved', 'refused'))`
}

function since(count: number): Date {
  return new Date(now().getTime() - count * DAY_MS)
}

function days(): RawBuilder<unknown> {
  return sql`make_interval(days => ${tiedPairDaysMax}::int)`
}

/** Pairs whose last act on the same money lies within the days after the tie. */
export function tiedPairRows(): RawBuilder<unknown> {
  return sql`with ${ties()}, ${acts()},
    done as (select subject, client_id, record_id, user_id, string_agg(distinct word, ', ' order by word) as words, max(at) as last_at
      from act where user_id is not null and at > ${since(actsDays)} group by subject, client_id, record_id, user_id),
    met as (select one.subject, one.client_id, one.record_id, one.user_id as person_id, one.words as person_acts, other.user_id as other_id,
        other.words as other_acts, greatest(one.last_at, other.last_at) as last_acted_at
      from done one join done other on other.subject = one.subject and other.client_id = one.client_id and other.record_id = one.record_id
        and other.user_id <> one.user_id)
    select (row_number() over (order by max(tied.id), met.subject, met.client_id, met.record_id, met.person_id, met.other_id))::int as id,
      met.last_acted_at, met.subject, met.record_id, met.client_id, met.person_id, met.person_acts, met.other_id, met.other_acts,
      string_agg(distinct tied.word, ', ' order by tied.word) as tie, tied.through_id, max(tied.created_at) as tied_at,
      floor(extract(epoch from met.last_acted_at - max(tied.created_at)) / 86400)::int as days
    from met join tied on tied.person_id = met.person_id and tied.other_id = met.other_id
      and met.last_acted_at between tied.created_at and tied.created_at + ${days()}
    group by met.subject, met.client_id, met.record_id, met.person_id, met.person_acts, met.other_id, met.other_acts, met.last_acted_at, tied.through_id`
}
