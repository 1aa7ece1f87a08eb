/** A unit of measure: kWh, therm, CCF. Its conversion to another unit depends on the utility service (usage units). */
import { z } from 'zod'
import { crudCalls, optionsCall } from '../kernel/call.ts'
import { entity, text, type Draft, type Row } from '../kernel/entity.ts'

export const unit = entity(
  'unit',
  'units',
  { symbol: text('Symbol', 40), description: text('Description') },
  { filter: ['id', 'symbol', 'description'], sort: ['symbol', 'description', 'id'], defaultSort: 'symbol asc' },
)
export type Unit = Row<typeof unit>
export type UnitDraft = Draft<typeof unit>

export const unitCalls = {
  ...crudCalls(unit, '/units', {
    list: 'signed_in',
    read: 'setting.read',
    create: 'setting.create',
    update: 'setting.update',
    destroy: 'setting.destroy',
  }),
  selectOptions: optionsCall(
    'units',
    '/units/select_options',
    'signed_in',
    z.object({ id: z.int(), symbol: z.string(), description: z.string() }),
  ),
}
