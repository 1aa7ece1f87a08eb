/** Utility services with the units that their usage comes in and the factors that bills carry. */
import {
  utilityService,
  utilityServiceCalls,
  type UsageFactor,
  type UsageUnit,
  type UtilityService,
  type UtilityServiceDraft,
} from '#contract/utility-service.ts'
import { sql, type RawBuilder } from 'kysely'
import { today } from '../kernel/clock.ts'
import { childrenAfter, mergeChildren, saveChildren, storeChildren, type ChildTable } from '../kernel/children.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { invalid } from '../kernel/problem.ts'
import { askedBy, crudHandlers, isFree, mustReach, optionsHandler, readRow, resource } from '../kernel/resource.ts'
import { refreshUtilityService } from '../dashboard/dashboard.ts'
import { units } from '../units/units.ts'

const unitObject = sql`json_build_object('id', usage_units.id, 'unit_id', units.id, 'symbol', units.symbol, 'description', units.description,
  'conversion_factor', usage_units.conversion_factor::text, 'standard', usage_units.standard)`
const factorObject = sql`json_build_object('id', usage_factors.id, 'active', usage_factors.active, 'name', usage_factors.name, 'description', usage_factors.description,
  'unit_id', units.id, 'symbol', units.symbol, 'adjustment_factor', usage_factors.adjustment_factor, 'default_value', usage_factors.default_value::text)`

export const utilityServices = resource({
  entity: utilityService,
  table: 'utility_services',
  scope: 'shared',
  columns: {
    usage_units: {
      sql: sql`(select coalesce(json_agg(${unitObject} order by usage_units.standard desc, units.symbol), '[]')
        from usage_units join units on units.id = usage_units.unit_id where usage_units.utility_service_id = utility_services.id)`,
    },
    usage_factors: {
      sql: sql`(select coalesce(json_agg(${factorObject} order by usage_factors.name, usage_factors.id), '[]')
        from usage_factors join units on units.id = usage_factors.unit_id where usage_factors.utility_service_id = utility_services.id)`,
    },
  },
  search: ['name', 'code'],
  check: async (context, draft, before) => {
    await isFree('utility_services', 'name', 'Name')(context, draft, before)
    await isFree('utility_services', 'code', 'Code')(context, draft, before)
  },
})

export const utilityServiceHandlers: readonly Handler[] = Object.values({
  ...crudHandlers(utilityServiceCalls, utilityServices, { children: saveUnitsAndFactors }),
  selectOptions: optionsHandler(utilityServiceCalls.selectOptions, utilityServices, ['id', 'name', 'code']),
  usageUnitOptions: handle(utilityServiceCalls.usageUnitOptions, async (context, { params }) => {
    await readRow(context, utilityServices, params.id, askedBy(context, params))
    return {
      units: await readObjects<UsageUnit>(
        context,
        sql`select ${unitObject} as row from usage_units join units on units.id = usage_units.unit_id
      where usage_units.utility_service_id = ${params.id} order by usage_units.standard desc, units.symbol`,
      ),
    }
  }),
  usageFactorOptions: handle(utilityServiceCalls.usageFactorOptions, async (context, { params }) => {
    await readRow(context, utilityServices, params.id, askedBy(context, params))
    return {
      usage_factors: await readObjects<UsageFactor>(
        context,
        sql`select ${factorObject} as row from usage_factors join units on units.id = usage_factors.unit_id
      where usage_factors.utility_service_id = ${params.id} and usage_factors.active order by usage_factors.name, usage_factors.id`,
      ),
    }
  }),
})

async function readObjects<R>(context: Context, statement: RawBuilder<unknown>): Promise<R[]> {
  const { rows } = await sql<{ row: R }>`${statement}`.execute(context.tx)
  return rows.map(({ row }) => row)
}

async function saveUnitsAndFactors(
  context: Context,
  draft: Partial<UtilityServiceDraft>,
  { id }: { readonly id: number },
  before: UtilityService | null,
): Promise<void> {
  await mustReach(context, units, unitIdsOf(draft.usage_units_attributes), 'usage_units_attributes', undefined)
  await mustReach(context, units, unitIdsOf(draft.usage_factors_attributes), 'usage_factors_attributes', undefined)
  await saveUnits(context, draft, id)
  await saveChildren(
    context.tx,
    {
      table: 'usage_factors',
      parent: { utility_service_id: id },
      columns: ['name', 'description', 'unit_id', 'active', 'adjustment_factor', 'default_value'],
      field: 'usage_factors_attributes',
      initial: { active: true, adjustment_factor: false },
    },
    draft.usage_factors_attributes,
  )
  if (before) await keepEmissions(context, draft, before)
}

/**
 * Emission factors are versioned: one that is entered holds from this month on, and the tonnes of earlier months stay what they were.
 * Whether a service is in the inventory at all is no version; it goes for all months.
 */
async function keepEmissions({ tx, services }: Context, draft: Partial<UtilityServiceDraft>, before: UtilityService): Promise<void> {
  const { emissions_factor: factor = before.emissions_factor, inventoriable = before.inventoriable } = draft
  const entered = Number(factor) !== Number(before.emissions_factor)
  if (entered) {
    await sql`insert into emission_factors (utility_service_id, unit_id, effective_from, value, source, edition, year, gas_basis, scope)
      select kind.id, standard.unit_id, version.effective_from, version.value, 'Entered', 'Entered', extract(year from ${today()}::date), 'CO2e', coalesce(kind.emissions_scope, 3)
      from utility_services kind join usage_units standard on standard.utility_service_id = kind.id and standard.standard
      cross join (values (date '1990-01-01', ${before.emissions_factor}::numeric), (date_trunc('month', ${today()}::date)::date, ${factor}::numeric)) version(effective_from, value)
      where kind.id = ${before.id}
      on conflict (utility_service_id, effective_from) do update set value = excluded.value, source = excluded.source, edition = excluded.edition, year = excluded.year
        where excluded.effective_from > '1990-01-01'`.execute(tx)
  }
  if (entered || inventoriable !== before.inventoriable) await refreshUtilityService(tx, services, before.id)
}

async function saveUnits({ tx }: Context, { usage_units_attributes: drafts }: Partial<UtilityServiceDraft>, id: number): Promise<void> {
  if (drafts === undefined || drafts.length === 0) return
  const child: ChildTable = {
    table: 'usage_units',
    parent: { utility_service_id: id },
    columns: ['unit_id', 'conversion_factor', 'standard'],
    field: 'usage_units_attributes',
    initial: { standard: false },
  }
  const before = (await mergeChildren(tx, child, [])).untouched
  const merged = withStandard(await mergeChildren(tx, child, drafts))
  const after = childrenAfter(merged)
  refuseUnits(after)
  const standard = before.find((unit) => unit['standard'] === true)
  // The emissions factor, and all usage that bills have stored, are counted in the standard unit.
  if (
    standard &&
    !after.some((unit) => unit['id'] === standard.id && unit['standard'] === true && unit['unit_id'] === standard['unit_id'])
  ) {
    throw invalid({ usage_units_attributes: ['The standard unit cannot change: the emissions factor and stored usage are counted in it'] })
  }
  await storeChildren(tx, child, merged)
}

/** Where none is marked, the one new unit that is worth exactly 1 is the standard. */
function withStandard(merged: Awaited<ReturnType<typeof mergeChildren>>): typeof merged {
  const worthOne = merged.added.filter((unit) => Number(unit['conversion_factor']) === 1)
  if (worthOne.length !== 1 || childrenAfter(merged).some((unit) => unit['standard'] === true)) return merged
  return { ...merged, added: merged.added.map((unit) => (unit === worthOne[0] ? { ...unit, standard: true } : unit)) }
}

function refuseUnits(after: readonly Readonly<Record<string, unknown>>[]): void {
  const refuse = (message: string): never => {
    throw invalid({ usage_units_attributes: [message] })
  }
  if (after.length === 0) return
  const standards = after.filter((unit) => unit['standard'] === true)
  if (standards.length !== 1) refuse('Exactly one usage unit must be the standard')
  if (standards.some((unit) => Number(unit['conversion_factor']) !== 1)) refuse('The standard unit has the conversion factor 1')
  if (new Set(after.map((unit) => unit['unit_id'])).size !== after.length) refuse('A unit of measure can be listed once only')
}

function unitIdsOf(drafts: readonly { readonly unit_id?: number | undefined }[] | undefined): number[] {
  return (drafts ?? []).flatMap(({ unit_id }) => (unit_id === undefined ? [] : [unit_id]))
}
