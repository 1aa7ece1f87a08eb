import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { authCalls } from '#contract/access/auth.ts'
import { changePreferences, densities, preferencesOf, type Density } from '../kernel/preferences.ts'
import { apiQuery } from '../kernel/query.ts'
import { isDark, readTheme, saveTheme } from '../kernel/theme-cookie.ts'
import { Button } from '../ui/button.tsx'
import { SelectField, SwitchField } from '../ui/fields/choice-fields.tsx'
import { KeyHint } from '../ui/key-hint.tsx'
import { UiLink } from '../ui/link.tsx'
import type { Overlay } from './command-palette-state.ts'
import styles from './shell.module.css'
import { signOut } from './sign-out.ts'

/** Profile, theme, row height, help, signing out. */
export function SettingsPanel({ close, onOpen }: { close: () => void; onOpen: (what: Overlay) => void }) {
  const { data } = useQuery(apiQuery(authCalls.profile, {}))
  const user = data?.user
  const leave = (what: Overlay) => {
    close()
    onOpen(what)
  }
  return (
    <div className={styles.settings}>
      {user && (
        <div className={styles.settingsWho}>
          <strong>{[user.first_name, user.last_name].filter(Boolean).join(' ') || user.username}</strong>
          <span>{user.email}</span>
        </div>
      )}
      <UiLink href="/users/profile" className={styles.settingsLink} onClick={close}>
        User Profile
      </UiLink>
      <DarkModeSwitch />
      <DensityChoice stored={preferencesOf(user).density} />
      <HelpItem label="Keyboard shortcuts" keys="?" onSelect={() => leave('shortcuts')} />
      <HelpItem label="Glossary" onSelect={() => leave('glossary')} />
      <Button
        kind="quiet"
        className={styles.settingsLink ?? ''}
        onClick={() => {
          close()
          void signOut()
        }}
      >
        Sign Out
      </Button>
    </div>
  )
}

function HelpItem({ label, keys, onSelect }: { label: string; keys?: string; onSelect: () => void }) {
  return (
    <Button kind="quiet" className={styles.settingsLink ?? ''} onClick={onSelect}>
      {label}
      {keys !== undefined && <KeyHint keys={keys} />}
    </Button>
  )
}

function DarkModeSwitch() {
  const [dark, setDark] = useState(() => isDark(readTheme()))
  return (
    <SwitchField
      label="Dark Mode"
      checked={dark}
      onChange={(on) => {
        saveTheme(on ? 'dark' : 'light')
        setDark(on)
      }}
    />
  )
}

function DensityChoice({ stored }: { stored: Density }) {
  return (
    <SelectField
      label="Row height"
      value={stored}
      options={densities.map(({ value, label }) => ({ value, label }))}
      onChange={(value) => {
        const chosen = densities.find((one) => one.value === value)
        if (chosen) void changePreferences({ density: chosen.value })
      }}
    />
  )
}
