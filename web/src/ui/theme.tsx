import { ConfigProvider } from 'antd'
import { createContext, use, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { Scheme } from '../brand/colors.ts'
import { antdTheme } from './antd-theme.ts'
import { useIsPhone, useMedia } from './useMedia.ts'

export const themeChoices = { system: 'Same as device', light: 'Light', dark: 'Dark' } as const
export type ThemeChoice = keyof typeof themeChoices

const KEPT_AS = 'theme'

function keptChoice(): ThemeChoice {
  const kept = localStorage.getItem(KEPT_AS)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

// A popup belongs to the part of the page it was opened from, also for those who hear the page.
const popupPlace = (trigger?: HTMLElement) =>
  trigger?.closest<HTMLElement>('[role="dialog"], main, header') ?? document.body

const ThemeChoiceContext = createContext<[ThemeChoice, (choice: ThemeChoice) => void]>(['system', () => undefined])

/** The theme that the user chose, and a function to change it. */
export const useThemeChoice = () => use(ThemeChoiceContext)

const SchemeContext = createContext<Scheme>('light')

/** Whether the page is light or dark, for what is drawn with colors of its own. */
export const useScheme = () => use(SchemeContext)

export function ThemeProvider({ children }: { children: ReactNode }) {
  const [choice, setChoice] = useState(keptChoice)
  const systemIsDark = useMedia('(prefers-color-scheme: dark)')
  const still = useMedia('(prefers-reduced-motion: reduce)')
  const isPhone = useIsPhone()
  const scheme: Scheme = choice === 'system' ? (systemIsDark ? 'dark' : 'light') : choice

  // tokens.css follows the system unless the page names a scheme.
  useEffect(() => {
    if (choice === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = choice
  }, [choice])

  const choose = (next: ThemeChoice) => {
    localStorage.setItem(KEPT_AS, next)
    setChoice(next)
  }
  return (
    <ThemeChoiceContext value={[choice, choose]}>
      <SchemeContext value={scheme}>
        <ConfigProvider theme={antdTheme(scheme, { motion: !still, isPhone })} getPopupContainer={popupPlace}>
          {children}
        </ConfigProvider>
      </SchemeContext>
    </ThemeChoiceContext>
  )
}
