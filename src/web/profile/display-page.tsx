import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { authCalls } from '#contract/access/auth.ts'
import { changePreferences, densities, preferencesOf } from '../kernel/preferences.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { readTheme, saveTheme, themes, type Theme } from '../kernel/theme-cookie.ts'
import { Button } from '../ui/button.tsx'
import { DEFAULT_NOTICE_SECONDS, notify } from '../ui/dialogs/notices.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { ProfileFrame } from './profile-frame.tsx'
import styles from './profile.module.css'

/** The user's display settings: theme, row height, duration of notices. Each is saved as it is chosen. */
export function DisplayPage() {
  const asked = useQuery(apiQuery(authCalls.profile, {}))
  return (
    <ProfileFrame title="Display" about="Saved as you choose. Theme holds in this browser, the rest wherever you sign in.">
      <RecordGate asked={asked}>
        {({ user }) => {
          const { density, notice_seconds } = preferencesOf(user)
          return (
            <div className={styles.settings}>
              <ThemeChoice />
              <SelectField
                label="Row height"
                hint="Of every list."
                value={density}
                options={densities.map(({ value, label }) => ({ value, label }))}
                onChange={(value) => {
                  const chosen = densities.find((one) => one.value === value)
                  if (chosen) void changePreferences({ density: chosen.value })
                }}
              />
              <NoticeLength stored={notice_seconds} />
            </div>
          )
        }}
      </RecordGate>
    </ProfileFrame>
  )
}

const themeLabels: Readonly<Record<Theme, string>> = { dark: 'Dark', light: 'Light', system: 'System' }

function ThemeChoice() {
  const [theme, setTheme] = useState(readTheme)
  return (
    <SelectField
      label="Theme"
      value={theme}
      options={themes.map((value) => ({ value, label: themeLabels[value] }))}
      onChange={(value) => {
        const chosen = themes.find((one) => one === value)
        if (!chosen) return
        saveTheme(chosen)
        setTheme(chosen)
      }}
    />
  )
}

/** Seconds for the shortest notices; 0 keeps the default. */
const lengths = [
  { value: '0', label: `Short (${DEFAULT_NOTICE_SECONDS} seconds)` },
  { value: '2', label: '2 seconds' },
  { value: '4', label: '4 seconds' },
  { value: '8', label: '8 seconds' },
  { value: '15', label: '15 seconds' },
  { value: '30', label: '30 seconds' },
]

function NoticeLength({ stored }: { stored: number }) {
  const value = String(stored)
  const options = lengths.some((one) => one.value === value) ? lengths : [...lengths, { value, label: `${value} seconds` }]
  return (
    <>
      <SelectField
        label="Notices stay at least"
        hint="Longer ones grow in proportion. A notice waits while you point at it, and the bell keeps every one."
        value={value}
        options={options}
        onChange={(chosen) => void changePreferences({ notice_seconds: Number(chosen) })}
      />
      <div className={styles.sample}>
        <Button onClick={() => notify({ kind: 'info', title: 'This is how long a notice stays.' })}>Show an example</Button>
      </div>
    </>
  )
}
