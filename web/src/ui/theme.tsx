import { ConfigProvider, theme } from 'antd'
import type { ThemeConfig } from 'antd'
import { createContext, use, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { colorIn, fontFamily } from '../brand/colors.ts'
import type { ColorName, Scheme } from '../brand/colors.ts'
import { useIsPhone, useMedia } from './useMedia.ts'

export const themeChoices = { system: 'Same as device', light: 'Light', dark: 'Dark' } as const
export type ThemeChoice = keyof typeof themeChoices

const KEPT_AS = 'theme'

function keptChoice(): ThemeChoice {
  const kept = localStorage.getItem(KEPT_AS)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

// What a thumb needs; a pointer hits less.
const touchHeight = { controlHeight: 44, controlHeightSM: 44 }

/** The look on Ant Design's tokens. */
function themeOf(scheme: Scheme, { motion, isPhone }: { motion: boolean; isPhone: boolean }): ThemeConfig {
  const look = (name: ColorName) => colorIn(name, scheme)
  const primary = {
    colorPrimary: look('headlight'),
    colorPrimaryHover: look('headlight-pressed'),
    colorPrimaryActive: look('headlight-pressed'),
    primaryColor: look('on-headlight'),
    // The accent as text on paper has too little contrast.
    defaultHoverColor: look('ink'),
    defaultActiveColor: look('ink'),
    primaryShadow: 'none',
    defaultShadow: 'none',
    dangerShadow: 'none',
    fontWeight: 500,
  }
  return {
    algorithm: scheme === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
    token: {
      fontFamily,
      fontSize: 14,
      borderRadius: 6,
      motion,
      ...(isPhone && touchHeight),
      motionDurationFast: '80ms',
      motionDurationMid: '120ms',
      motionDurationSlow: '140ms',
      colorPrimary: look('amber'),
      colorPrimaryBg: look('tint'),
      controlItemBgActive: look('tint'),
      controlItemBgActiveHover: look('tint'),
      colorLink: look('amber'),
      colorText: look('ink'),
      colorTextHeading: look('ink'),
      colorTextSecondary: look('ink-soft'),
      colorTextDescription: look('ink-soft'),
      colorTextPlaceholder: look('ink-soft'),
      // Read-only forms are read.
      colorTextDisabled: look('ink-soft'),
      colorBgContainerDisabled: look('page'),
      colorIcon: look('ink-soft'),
      colorBgContainer: look('paper'),
      colorBgElevated: look('paper'),
      colorBgLayout: look('page'),
      colorBorder: look('control'),
      colorBorderSecondary: look('line'),
      colorSplit: look('line'),
      colorSuccess: look('driving'),
      colorWarning: look('warn'),
      colorWarningBg: look('tint'),
      colorError: look('bad'),
      colorErrorBg: look('bad-row'),
      colorErrorText: look('bad'),
      colorInfo: look('parked'),
    },
    components: {
      Button: primary,
      Form: { itemMarginBottom: 16, labelColor: look('ink') },
      Tabs: { horizontalMargin: '0' },
    },
  }
}

// A popup belongs to the part of the page it was opened from, also for those who hear the page.
const popupPlace = (trigger?: HTMLElement) =>
  trigger?.closest<HTMLElement>('[role="dialog"], main, header') ?? document.body

const ThemeChoiceContext = createContext<[ThemeChoice, (choice: ThemeChoice) => void]>(['system', () => undefined])

/** The theme that the user chose, and a function to change it. */
export const useThemeChoice = () => use(ThemeChoiceContext)

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
      <ConfigProvider theme={themeOf(scheme, { motion: !still, isPhone })} getPopupContainer={popupPlace}>
        {children}
      </ConfigProvider>
    </ThemeChoiceContext>
  )
}
