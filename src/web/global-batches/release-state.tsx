import { releaseStates, type ExportRelease } from '#contract/global-batches/export-release.ts'
import { StatusDot, type Tone } from '../ui/status.tsx'

const tones: Readonly<Record<ExportRelease['state'], Tone>> = {
  waiting: 'warn',
  released: 'ok',
  refused: 'bad',
  withdrawn: 'grey',
  void: 'grey',
}

export function ReleaseState({ state }: Pick<ExportRelease, 'state'>) {
  return <StatusDot tone={tones[state]}>{releaseStates.find(({ value }) => value === state)?.label ?? state}</StatusDot>
}
