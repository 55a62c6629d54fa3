import { theme } from 'antd'
import type { ThemeConfig } from 'antd'
import { colorIn, fontFamily } from '../brand/colors.ts'
import type { ColorName, Scheme } from '../brand/colors.ts'

// What a thumb needs; a pointer hits less.
const touchHeight = { controlHeight: 44, controlHeightSM: 44 }

interface Surroundings {
  motion: boolean
  isPhone: boolean
}

/**
 * The look on Ant Design's tokens. A build writes all of it into a style sheet and leaves here only the values that
 * components read (`vite-antd.tsx`).
 */
export function antdTheme(scheme: Scheme, { motion, isPhone }: Surroundings): ThemeConfig {
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
    zeroRuntime: true,
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
