// The emoji names that people and the app use here; others stay as they are written.

export const EMOJI = {
  eyes: "👀", white_check_mark: "✅", heavy_check_mark: "✔️", x: "❌", mute: "🔇", zipper_mouth_face: "🤐", "+1": "👍", "-1": "👎",
  thumbsup: "👍", thumbsdown: "👎", question: "❓", grey_question: "❔", warning: "⚠️", rotating_light: "🚨", bulb: "💡",
  hourglass: "⌛", hourglass_flowing_sand: "⏳", mag: "🔍", wrench: "🔧", hammer_and_wrench: "🛠️", tada: "🎉", rocket: "🚀",
  bar_chart: "📊", chart_with_upwards_trend: "📈", chart_with_downwards_trend: "📉", memo: "📝", pencil: "✏️", pencil2: "✏️",
  large_green_circle: "🟢", large_yellow_circle: "🟡", large_orange_circle: "🟠", red_circle: "🔴", large_blue_circle: "🔵",
  white_circle: "⚪", black_circle: "⚫", information_source: "ℹ️", lock: "🔒", link: "🔗", wave: "👋", bell: "🔔", no_bell: "🔕",
  arrow_right: "➡️", arrow_up: "⬆️", arrow_down: "⬇️", repeat: "🔁", recycle: "♻️", gear: "⚙️", fire: "🔥", brain: "🧠",
  robot_face: "🤖", sos: "🆘", raised_hand: "✋", raising_hand: "🙋", thinking_face: "🤔", slightly_smiling_face: "🙂", smile: "😄",
  pray: "🙏", clap: "👏", clock3: "🕒", calendar: "📅", date: "📅", package: "📦", floppy_disk: "💾", zap: "⚡", heart: "❤️",
  small_blue_diamond: "🔹", small_orange_diamond: "🔸", black_square_button: "🔲", heavy_minus_sign: "➖", heavy_plus_sign: "➕",
  bookmark_tabs: "📑", clipboard: "📋", paperclip: "📎", computer: "💻", thermometer: "🌡️", traffic_light: "🚦", ghost: "👻",
};

/** The sign for an emoji's name, or the name between colons. */
export const emoji = (name) => EMOJI[name] ?? `:${name}:`;
