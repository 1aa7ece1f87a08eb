/**
 * Emission factors are versioned: a new one applies from its month on, and the tonnes of earlier months do not change. Whether a service is in
 * the inventory at all is not versioned; it applies to all months.
 */
import { enteredEdition, type UtilityService, type UtilityServiceDraft } from '#contract/reference/utility-service.ts'
import { sql } from 'kysely'
import { refreshUtilityService } from '../month-facts/month-facts.ts'
import { today } from '../kernel/clock.ts'
import { childrenAfter, mergeChildren, storeChildren, type ChildRow, type MergedChildren } from '../kernel/lists/children.ts'
import { unitOfWork, type Context } from '../kernel/context.ts'
import type { JobDefinition, JobRun } from '../kernel/work/jobs.ts'
import { invalid } from '../kernel/problem.ts'
import { everything } from '../kernel/lists/resource.ts'

type Draft = Partial<UtilityServiceDraft>

/** Stores the draft's emission settings, and has the affected months recomputed. */
export async function keepEmissions(context: Context, draft: Draft, id: number, before: UtilityService | null): Promise<void> {
  const entered =
    before !== null && draft.emissions_factor !== undefined && Number(draft.emissions_factor) !== Number(before.emissions_factor)
  if (entered) await enterFromNow(context, before, draft.emissions_factor ?? before.emissions_factor)
  const versions = await saveVersions(context, draft, id, before)
  const counted = before !== null && draft.inventoriable !== undefined && draft.inventoriable !== before.inventoriable
  if (entered || versions || counted) await refreshUtilityService(context.tx, context.machinery, id)
}

/** The plain field of the form: a value typed there applies from this month on. */
async function enterFromNow({ tx }: Context, before: UtilityService, factor: string): Promise<void> {
  await sql`insert into emission_factors (utility_service_id, unit_id, effective_from, value, source, edition, year, gas_basis, scope)
    select kind.id, standard.unit_id, version.effective_from, version.value, ${enteredEdition}, ${enteredEdition}, extract(year from ${today()}::date), 'CO2e', coalesce(kind.emissions_scope, 3)
    from utility_services kind join usage_units standard on standard.utility_service_id = kind.id and standard.standard
    cross join (values (date '1990-01-01', ${before.emissions_factor}::numeric), (date_trunc('month', ${today()}::date)::date, ${factor}::numeric)) version(effective_from, value)
    where kind.id = ${before.id}
    on conflict (utility_service_id, effective_from) do update set value = excluded.value, source = excluded.source, edition = excluded.edition, year = excluded.year
      where excluded.effective_from > '1990-01-01'`.execute(tx)
}

/**
 * Saves versions by month.
 * @returns whether there were any to save.
 */
async function saveVersions({ tx }: Context, draft: Draft, id: number, before: UtilityService | null): Promise<boolean> {
  const { emission_factors_attributes: drafts = [] } = draft
  if (drafts.length === 0) return false
  const unit = await standardUnit(tx, id)
  const child = {
    table: 'emission_factors',
    parent: { utility_service_id: id },
    columns: ['effective_from', 'value', 'source', 'year', 'edition', 'gas_basis', 'scope', 'unit_id'],
    field: 'emission_factors_attributes',
    initial: { edition: enteredEdition, gas_basis: 'CO2e', scope: unit?.scope, unit_id: unit?.unit_id },
  }
  const stored = (await mergeChildren(tx, child, [])).untouched
  const merged = await mergeChildren(
    tx,
    child,
    drafts.map((one) => (one.effective_from === undefined ? one : { ...one, effective_from: `${one.effective_from}-01` })),
  )
  if (!unit) throw invalid({ [child.field]: ['Emissions are counted in the standard unit: mark one first'] })
  refuseVersions(stored, merged, child.field)
  // Months before the first version keep the factor that the service had until now.
  if (stored.length === 0 && !childrenAfter(merged).some((version) => monthOf(version) === firstMonth))
    await sql`insert into emission_factors (utility_service_id, unit_id, effective_from, value, source, edition, year, gas_basis, scope)
      select id, ${unit.unit_id}, date '1990-01-01', ${before?.emissions_factor ?? draft.emissions_factor ?? '0'}::numeric, ${enteredEdition}, ${enteredEdition}, 1990, 'CO2e', ${unit.scope}
      from utility_services where id = ${id}`.execute(tx)
  await storeChildren(tx, child, merged)
  await sql`update utility_services set emissions_factor = coalesce((${presentFactor()}), emissions_factor) where id = ${id}`.execute(tx)
  return true
}

/** Published versions cannot be changed, and each month has at most one version. */
function refuseVersions(stored: readonly ChildRow[], merged: MergedChildren, field: string): void {
  const months = childrenAfter(merged).map(monthOf)
  const twice = months.find((one, at) => months.indexOf(one) !== at)
  if (twice !== undefined) throw invalid({ [field]: [`There is a factor from ${twice.slice(5)}/${twice.slice(0, 4)} already`] })
  const touched = [...merged.removed, ...merged.changed.map(({ id }) => id)]
  if (stored.some(({ id, edition }) => touched.includes(id) && edition !== enteredEdition))
    throw invalid({ [field]: ['A published factor stays as it is: enter one from a later month'] })
}

/** No facts exist before this month. */
const firstMonth = '1990-01'

function monthOf(version: Readonly<Record<string, unknown>>): string {
  return String(version['effective_from']).slice(0, 7)
}

async function standardUnit(tx: Context['tx'], id: number): Promise<{ unit_id: number; scope: number } | undefined> {
  const { rows } = await sql<{ unit_id: number; scope: number }>`select unit_id, coalesce(kind.emissions_scope, 3) as scope
    from usage_units join utility_services kind on kind.id = utility_service_id where utility_service_id = ${id} and standard`.execute(tx)
  return rows[0]
}

function presentFactor() {
  return sql`select edition.value from emission_factors edition
    where edition.utility_service_id = utility_services.id and edition.effective_from <= ${today()}::date order by edition.effective_from desc limit 1`
}

/** A factor entered for a future month becomes the service's own when the month begins. A second run finds nothing to do. */
export const emissionsJob: JobDefinition = { name: 'present_emission_factors', cron: '10 0 * * *', run: takeOver }

async function takeOver({ machinery }: JobRun): Promise<void> {
  await machinery.jobsDatabase.db.transaction().execute(async (tx) => {
    const unit = unitOfWork(tx, { principal: null, ip: null, requestId: 'emission-factors', connectionId: null }, everything, machinery)
    const { rows } = await sql<{ id: number; from: string; to: string }>`
      with due as (select id, emissions_factor, (${presentFactor()}) as present from utility_services for update)
      update utility_services set emissions_factor = due.present, lock_version = lock_version + 1, updated_at = now()
      from due where due.id = utility_services.id and due.present <> due.emissions_factor
      returning utility_services.id, due.emissions_factor::text as from, due.present::text as to`.execute(tx)
    await unit.context.audit.many(
      rows.map(({ id, from, to }) => ({
        event: 'update',
        item_type: 'utility_service',
        item_id: id,
        client_id: 0,
        changes: { emissions_factor: { from, to } },
      })),
    )
    await unit.finish()
  })
}
