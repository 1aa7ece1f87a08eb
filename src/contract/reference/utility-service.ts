/** A utility service: Electric, Natural Gas, Water. It defines the units of its usage and their factors to its standard unit. */
import { z } from 'zod'
import { call, crudCalls, optionsCall } from '../kernel/call.ts'
import { children, needed } from '../kernel/children.ts'
import {
  boolean,
  choice,
  decimal,
  defaulted,
  derived,
  entity,
  helped,
  integer,
  list,
  month,
  optional,
  text,
  type Draft,
  type Row,
} from '../kernel/entity.ts'
import { searchCall } from '../kernel/lookup.ts'

/** usage in the standard unit = usage x conversion_factor. */
export const usageUnit = z.object({
  id: z.int(),
  unit_id: z.int(),
  symbol: z.string(),
  description: z.string(),
  /** Text with 9 decimals. */
  conversion_factor: z.string(),
  standard: z.boolean(),
})
export type UsageUnit = z.infer<typeof usageUnit>

export const usageFactor = z.object({
  id: z.int(),
  active: z.boolean(),
  name: z.string(),
  description: z.string(),
  unit_id: z.int(),
  symbol: z.string(),
  adjustment_factor: z.boolean(),
  /** Text with 4 decimals. */
  default_value: z.string().nullable(),
})
export type UsageFactor = z.infer<typeof usageFactor>

/** The edition of factors entered by users; every other one is published and cannot be changed. */
export const enteredEdition = 'Entered'

/** Emissions of a standard unit from a month on, until the next one begins. */
export const emissionFactor = z.object({
  id: z.int(),
  /** YYYY-MM */
  effective_from: z.string(),
  /** Text with 4 decimals. */
  value: z.string(),
  symbol: z.string(),
  source: z.string(),
  edition: z.string(),
  year: z.int(),
  note: z.string().nullable(),
})
export type EmissionFactor = z.infer<typeof emissionFactor>

export const emissionFactorShape = {
  effective_from: needed('Missing Month', month('Effective From').schema),
  value: needed('Missing Emissions Factor', decimal('Emissions Factor', 4, { min: 0 }).schema),
  source: needed('Missing Source', text('Source').schema),
  year: needed('Missing Year', integer('Year', { min: 1990, max: 2200 }).schema),
}

const unitId = needed('Missing Unit of Measure', z.int('Missing Unit of Measure').positive('Missing Unit of Measure'))

export const usageUnitShape = {
  unit_id: unitId,
  conversion_factor: needed(
    'Missing Conversion Factor',
    decimal('Conversion Factor', 9, { min: 0, whole: 9 }).schema.refine(
      (value) => Number(value) > 0,
      'Conversion Factor must be greater than 0',
    ),
  ),
  standard: z.boolean().optional(),
}

export const usageFactorShape = {
  name: needed('Missing Name', text('Name', 100).schema),
  description: needed('Missing Description', text('Description').schema),
  unit_id: unitId,
  active: z.boolean().optional(),
  adjustment_factor: z.boolean().optional(),
  default_value: optional(decimal('Default Value', 4)).schema.optional(),
}

/** Scopes of a greenhouse gas inventory. */
export const emissionScopes = [
  { value: 1, label: 'Scope 1' },
  { value: 2, label: 'Scope 2' },
  { value: 3, label: 'Scope 3' },
] as const

export const utilityService = entity(
  'utility_service',
  'utility_services',
  {
    name: text('Name', 100),
    code: text('Code', 60),
    emissions_factor: helped(decimal('Emissions Factor (CO2)', 4, { min: 0 }), 'Kilograms of CO2e per standard unit.'),
    inventoriable: helped(defaulted(boolean('Inventoriable'), true), 'Whether its emissions count in the inventory.'),
    kbtu_factor: helped(optional(decimal('kBtu per standard unit', 6, { min: 0 })), 'Empty where the service carries no energy.'),
    emissions_scope: optional(choice('Emissions Scope', emissionScopes)),
    emission_factors: derived(list('Emission Factors', z.array(emissionFactor))),
    emission_factors_attributes: children('Emission Factors', emissionFactorShape, 200),
    usage_units: derived(list('Usage Units', z.array(usageUnit))),
    usage_factors: derived(list('Usage Factors', z.array(usageFactor))),
    usage_units_attributes: children('Usage Units', usageUnitShape, 100),
    usage_factors_attributes: children('Usage Factors', usageFactorShape, 100),
  },
  {
    filter: ['id', 'name', 'code', 'emissions_factor', 'inventoriable'],
    sort: ['name', 'code', 'emissions_factor', 'inventoriable', 'id'],
    defaultSort: 'name asc',
  },
)
export type UtilityService = Row<typeof utilityService>
export type UtilityServiceDraft = Draft<typeof utilityService>

const utilityOption = z.object({ id: z.int(), name: z.string(), code: z.string() })

export const utilityServiceCalls = {
  ...crudCalls(utilityService, '/utility_services', {
    read: 'utility_service.read',
    create: 'utility_service.create',
    update: 'utility_service.update',
    destroy: 'utility_service.destroy',
  }),
  selectOptions: optionsCall('utility_services', '/utility_services/select_options', 'utility_service.read', utilityOption),
  clientSearch: searchCall('utility_services', '/clients/:client_id/utility_services/search', 'utility_service.read', utilityOption),
  usageUnitOptions: call({
    name: 'utility_services.usage_unit_options',
    method: 'GET',
    path: '/utility_services/:id/usage_unit_options',
    may: 'utility_service.read',
    summary: 'The units that a service’s usage may come in, the standard first; `id` is what a service’s usage_unit_id names',
    reply: z.object({ units: z.array(usageUnit) }),
  }),
  usageFactorOptions: call({
    name: 'utility_services.usage_factor_options',
    method: 'GET',
    path: '/utility_services/:id/usage_factor_options',
    may: 'utility_service.read',
    summary: 'The active usage factors of a utility service',
    reply: z.object({ usage_factors: z.array(usageFactor) }),
  }),
}
