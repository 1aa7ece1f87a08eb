/** Gives each line a form place with only its own messages and findings, so that a finding of one line does not rerender thirty. */
import { memo, useMemo, useState } from 'react'
import type { LineValues } from './bill-values.ts'
import { FormPlaceProvider, useFormPlace } from './form-context.ts'
import { LineBlock } from './line-block.tsx'
import { same } from './same.ts'

export const LineInPlace = memo(function LineInPlace({ line }: { readonly line: LineValues }) {
  const place = useFormPlace()
  const at = `lines.${line.key}.`
  const errors = useSteady(partOf(place.errors, (path) => path.startsWith(at)))
  const proposals = useSteady(partOf(place.proposals, (path) => path.startsWith(at)))
  const carried = useSteady(place.carried && partOf(place.carried, (path) => path.startsWith(at)))
  const settled = useSteady(partOf(place.settled, (name) => name.endsWith(`:${line.key}`)))
  const findings = useSteady(place.findings.filter((finding) => finding.lineKey === line.key))
  const { entry, base, linked, locks, storedId, atRest, newLineOf, set } = place
  const own = useMemo(
    () => ({ entry, base, errors, findings, proposals, carried, settled, linked, locks, storedId, atRest, newLineOf, set }),
    [entry, base, errors, findings, proposals, carried, settled, linked, locks, storedId, atRest, newLineOf, set],
  )
  return (
    <FormPlaceProvider value={own}>
      <LineBlock line={line} />
    </FormPlaceProvider>
  )
})

function partOf<Said>(said: Readonly<Record<string, Said>>, isOwn: (name: string) => boolean): Readonly<Record<string, Said>> {
  return Object.fromEntries(Object.entries(said).filter(([name]) => isOwn(name)))
}

/** Returns the previous value as long as the new one is equal to it. */
function useSteady<Value>(value: Value): Value {
  const [steady, setSteady] = useState(value)
  if (same(steady, value)) return steady
  setSteady(value)
  return value
}
