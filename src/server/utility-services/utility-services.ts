/** Utility services with the units of their usage and the factors that bills carry. */
import {
  utilityService,
  utilityServiceCalls,
  type UsageFactor,
  type UsageUnit,
  type UtilityService,
  type UtilityServiceDraft,
} from '#contract/reference/utility-service.ts'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { childrenAfter, mergeChildren, saveChildren, storeChildren, type ChildTable } from '../kernel/lists/children.ts'
import type { Context } from '../kernel/context.ts'
import { defineWhere } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { invalid } from '../kernel/problem.ts'
import { askedBy, crudHandlers, isFree, mustReach, optionsHandler, readRow, resource } from '../kernel/lists/resource.ts'
import { searchHandler } from '../kernel/lists/lookup.ts'
import { units } from '../units/units.ts'
import { keepEmissions } from './keep-emissions.ts'

export { emissionsJob } from './keep-emissions.ts'

const unitObject = sql`json_build_object('id', usage_units.id, 'unit_id', units.id, 'symbol', units.symbol, 'description', units.description,
  'conversion_factor', usage_units.conversion_factor::text, 'standard', usage_units.standard)`
const factorObject = sql`json_build_object('id', usage_factors.id, 'active', usage_factors.active, 'name', usage_factors.name, 'description', usage_factors.description,
  'unit_id', units.id, 'symbol', units.symbol, 'adjustment_factor', usage_factors.adjustment_factor, 'default_value', usage_factors.default_value::text)`

const emissionObject = sql`json_build_object('id', emission_factors.id, 'effective_from', to_char(emission_factors.effective_from, 'YYYY-MM'), 'value', emission_factors.value::text,
  'symbol', units.symbol, 'source', emission_factors.source, 'edition', emission_factors.edition, 'year', emission_factors.year, 'note', emission_factors.note)`

export const utilityServices = resource({
  entity: utilityService,
  table: 'utility_services',
  scope: 'shared',
  columns: {
    usage_units: {
      sql: sql`(select coalesce(json_agg(${unitObject} order by usage_units.standard desc, units.symbol), '[]')
        from usage_units join units on units.id = usage_units.unit_id where usage_units.utility_service_id = utility_services.id)`,
    },
    emission_factors: {
      sql: sql`(select coalesce(json_agg(${emissionObject} order by emission_factors.effective_from desc), '[]')
        from emission_factors join units on units.id = emission_factors.unit_id where emission_factors.utility_service_id = utility_services.id)`,
    },
    usage_factors: {
      sql: sql`(select coalesce(json_agg(${factorObject} order by usage_factors.name, usage_factors.id), '[]')
        from usage_factors join units on units.id = usage_factors.unit_id where usage_factors.utility_service_id = utility_services.id)`,
    },
  },
  search: ['name', 'code'],
  rules: [isFree('utility_services', 'name', 'Name'), isFree('utility_services', 'code', 'Code')],
})

/** The utility services of the client's services. */
const ofClient = defineWhere(
  'utility_services_of_client',
  z.object({ client_id: z.int() }),
  ({ client_id }) => sql<boolean>`utility_services.id in (select utility_service_id from services where client_id = ${client_id})`,
)

export const utilityServiceHandlers: readonly Handler[] = Object.values({
  ...crudHandlers(utilityServiceCalls, utilityServices, { children: saveUnitsAndFactors }),
  selectOptions: optionsHandler(utilityServiceCalls.selectOptions, utilityServices, ['id', 'name', 'code']),
  clientSearch: searchHandler(utilityServiceCalls.clientSearch, utilityServices, ['id', 'name', 'code'], ({ client_id }) =>
    ofClient({ client_id }),
  ),
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
  await keepEmissions(context, draft, id, before)
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
  // The emissions factor and all stored usage of bills are in the standard unit.
  if (
    standard &&
    !after.some((unit) => unit['id'] === standard.id && unit['standard'] === true && unit['unit_id'] === standard['unit_id'])
  ) {
    throw invalid({ usage_units_attributes: ['The standard unit cannot change: the emissions factor and stored usage are counted in it'] })
  }
  await storeChildren(tx, child, merged)
}

/** If no unit is marked, the only new unit with factor 1 is the standard. */
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
