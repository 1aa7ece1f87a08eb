/** Finds the service of a meter in a file of bills. */
import type { ImportedService } from './imported-rows.ts'

export function nameAmong(names: readonly string[], wanted: string): string | null {
  return names.find((name) => name === wanted) ?? names.find((name) => name.toLowerCase() === wanted.toLowerCase()) ?? null
}

interface NoService {
  readonly column: 'meter_number' | 'service'
  readonly fault: string
}

/**
 * Finds the service by the exact meter number, then ignoring case, then without spaces and dashes; the service's name distinguishes services
 * with the same number.
 */
export function serviceOf(
  services: readonly ImportedService[],
  meter: string | null,
  named: string | null,
  prefix: string,
): ImportedService | NoService {
  if (meter === null && named === null) return { column: 'meter_number', fault: 'The meter has values but no number' }
  const ofMeter = meter === null ? services : (firstFound(services, meter) ?? [])
  if (ofMeter.length === 0)
    return { column: 'meter_number', fault: meter === null ? 'The account has no services' : `The account has no meter ${meter}` }
  const found = named === null ? ofMeter : ofMeter.filter((one) => nameAmong(one.names, named) !== null)
  const active = found.filter((one) => one.active)
  const [only] = found.length === 1 ? found : active.length === 1 ? active : []
  if (only) return only
  const choices = [...new Set(ofMeter.flatMap(({ names }) => names[0] ?? []))].join(', ')
  if (found.length === 0) return { column: 'service', fault: `The account has no service ${named} here; it has ${choices}` }
  if (named === null)
    return { column: 'meter_number', fault: `Several services have this meter: say which in ${prefix}service (${choices})` }
  return { column: 'service', fault: `Several services are called ${named}` }
}

function firstFound(services: readonly ImportedService[], meter: string): readonly ImportedService[] | undefined {
  return [
    (number: string) => number,
    (number: string) => number.toLowerCase(),
    (number: string) => number.toLowerCase().replaceAll(/[ -]/g, ''),
  ]
    .map((plain) => services.filter((one) => plain(one.meter_number) === plain(meter)))
    .find((some) => some.length > 0)
}
