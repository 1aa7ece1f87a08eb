import { useState } from 'react'
import { useAttempt, type Attempt } from './attempt.tsx'

export interface LaidFile<Laid> {
  readonly files: readonly File[]
  /** The result of `lay` for the chosen file; null while there is none. */
  readonly laid: Laid | null
  readonly attempt: Attempt
  choose(files: readonly File[]): void
  /** Reads the chosen file again. */
  again(): void
}

/** A file that is read first, so that a person sees what it does before it is applied. */
export function useLaidFile<Laid>(lay: (file: File) => Promise<Laid>): LaidFile<Laid> {
  const [files, setFiles] = useState<readonly File[]>([])
  const [laid, setLaid] = useState<Laid | null>(null)
  const attempt = useAttempt()
  const read = async (chosen: readonly File[]) => {
    setFiles(chosen)
    setLaid(null)
    attempt.forget()
    const [file] = chosen
    if (file) await attempt.run(async () => setLaid(await lay(file)))
  }
  return { files, laid, attempt, choose: (chosen) => void read(chosen), again: () => void read(files) }
}
