/** Matches the meters of a reading to the services of the account, and counts the values of their lines that are still to be keyed. */
import type { BillReading, ReadMeter, ReadMeterField } from './bill-reading.ts'

interface MeteredService {
  readonly id: number
  readonly meter_number: string
  readonly metered: boolean
}

/** Values needed for a line of a metered service, apart from the service itself; charges count once, delivered or supplied. */
const lineFields: readonly ReadMeterField[] = ['previous_read_date', 'read_date', 'previous_reading', 'meter_reading', 'usage', 'unit']
const unmeteredFields: readonly ReadMeterField[] = ['previous_read_date', 'read_date']
const chargeFields: readonly ReadMeterField[] = ['utility_charges', 'supply_charges']

/** Returns the meter of a reading for a service; if there is only one line and one meter, they belong together. */
export function meterOfService(
  reading: Pick<BillReading, 'meters'>,
  service: Pick<MeteredService, 'id' | 'meter_number'> | undefined,
  isOnlyLine: boolean,
): ReadMeter | undefined {
  const named = reading.meters.find(
    (meter) =>
      service !== undefined &&
      (meter.service_id === service.id ||
        meter.fields.some((field) => field.field === 'meter_number' && field.value === service.meter_number)),
  )
  return named ?? (isOnlyLine && reading.meters.length === 1 ? reading.meters[0] : undefined)
}

/** Counts the values of the account's lines that were read and are needed; without a known account, those of the meters that were read. */
export function valuesOfLines(
  reading: Pick<BillReading, 'meters'>,
  services: readonly MeteredService[],
): { readonly found: number; readonly expected: number } {
  const lines =
    services.length === 0
      ? reading.meters.map((meter) => ({ meter, metered: true, isPlaced: false }))
      : services.map((service) => {
          const meter = meterOfService(reading, service, services.length === 1)
          return { meter, metered: service.metered, isPlaced: meter !== undefined }
        })
  const counted = lines.map(({ meter, metered, isPlaced }) => {
    const wanted = metered ? lineFields : unmeteredFields
    const has = (field: ReadMeterField) => meter?.fields.some((one) => one.field === field) === true
    const found = wanted.filter(has).length + (chargeFields.some(has) ? 1 : 0) + (isPlaced ? 1 : 0)
    return { found, expected: wanted.length + 2 }
  })
  return { found: sumOf(counted.map(({ found }) => found)), expected: sumOf(counted.map(({ expected }) => expected)) }
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
