// Cards, plays and the table of Daifugo as both widgets draw them. Plays come from the kernels as three numbers:
// two halves of a set of 53 cards, and what the joker stands for.
import { make } from "../play.js";

export const SEATS = ["Sontaku", "CPUA", "CPUB", "CPUC"];
const SUITS = "DCHS", RANKS = "3456789TJQKA2", SIGNS = ["♦", "♣", "♥", "♠"], JOKER = 52, HALF = 26;
const SUIT_WORDS = ["diamonds", "clubs", "hearts", "spades"];
const RANK_WORDS = "three four five six seven eight nine ten jack queen king ace two".split(" ");
const all = [...Array(JOKER + 1).keys()];
const NTH = ["first", "second", "third", "last"];

const named = (card) => (card === JOKER ? "JO" : SUITS[card & 3] + RANKS[card >> 2]);
const faced = (card) => (card === JOKER ? "★" : `${SIGNS[card & 3]}\uFE0E${RANKS[card >> 2].replace("T", "10")}`);
export const called = (card) => (card === JOKER ? "joker" : `${RANK_WORDS[card >> 2]} of ${SUIT_WORDS[card & 3]}`);
const cardsOf = (low, high) => all.filter((card) => ((card < HALF ? low >> card : high >> (card - HALF)) & 1) === 1);

// Cards as the two halves that kernels take.
export function halves(cards) {
  const sum = (some) => some.reduce((bits, k) => bits + 2 ** k, 0);
  return { low: sum(cards.filter((k) => k < HALF)), high: sum(cards.filter((k) => k >= HALF).map((k) => k - HALF)) };
}

// A play: its cards as they lie, as gamecore writes it, in signs, in words. No cards are a pass.
function play([low, high, joker]) {
  const stands = joker - 5, place = (card) => (card === JOKER && joker ? stands : card);
  const cards = cardsOf(low, high).sort((a, b) => place(a) - place(b));
  const each = (write, as) => cards.map((card) => write(card) + (card === JOKER && joker ? as + write(stands) : ""));
  return {
    cards, text: each(named, "=").join(" ") || "pass", signs: each(faced, "").join(" ") || "pass",
    words: each(called, " as ").join(", ") || "pass",
  };
}

// What there is to see at a turn.
export async function lookAt(table, turn) {
  const { seen, hands, offered } = await table.call("daifugo_look", { turn }, ["seen", "hands", "offered"]);
  const [to, owner, kind, locked, revolution, , out, number] = seen;
  return {
    to, owner, kind, locked, revolution, out: seen.slice(11, 11 + out), over: out === 4, sizes: seen.slice(15),
    field: play(seen.slice(8, 11)), hands: SEATS.map((_, k) => cardsOf(hands[3 * k], hands[3 * k + 1])),
    offers: Array.from({ length: number }, (_, k) => play(offered.slice(3 * k, 3 * k + 3))),
  };
}

// What was told of a turn: who, what, and what came of it, in words.
export function turnOf(told, name) {
  const [seat, low, high, joker, lock, revolution, cut, over, out, leads, drawn] = told;
  const events = [
    lock && "the suits are locked", revolution && "a revolution: the ranks are turned over",
    cut && "an eight ends the trick", over && "the three of spades takes the joker", out && "out",
    drawn && "too many passes: the ranks that are left are drawn by lot", leads >= 0 && `next to lead: ${name(leads)}`,
  ];
  return { seat, play: play([low, high, joker]), events: events.filter(Boolean).join("; "), leads };
}

// The cards that a hand lost and gained by exchange, in words.
export function exchanged(swapped, seat) {
  const own = swapped.slice(6 * seat, 6 * seat + 6), words = (at) => play([own[at], own[at + 1], 0]);
  return own.some(Boolean) ? { gave: words(0), got: words(3) } : null;
}

export function card(number) {
  const red = number !== JOKER && (number & 1) === 0, mark = number === JOKER ? "★" : `${SIGNS[number & 3]}\uFE0E`;
  const parts = [number === JOKER ? "JO" : RANKS[number >> 2].replace("T", "10"), mark];
  const attributes = { className: `card${red ? " red" : ""}`, role: "img", "aria-label": called(number) };
  return make("span", attributes, ...parts.map((part) => make("span", {}, part)));
}

const row = (cards) => make("div", { className: "row" }, ...cards.map(card));

// A play in signs that is read in words.
export const signs = (one) => make("span", one.cards.length ? { role: "img", "aria-label": one.words } : {}, one.signs);

// The seats in a row, each with its last play in this trick or an open hand, and the field below.
export function drawn(look, seats, name, last, open = []) {
  const boxes = seats.map((seat) => {
    const place = look.out.indexOf(seat), size = look.sizes[seat];
    const state = place >= 0 ? `out, ${NTH[place]}` : `${size} card${size === 1 ? "" : "s"}`;
    const box = make("div", { className: `seat${!look.over && look.to === seat ? " to-move" : ""}` },
      make("strong", {}, name(seat)), make("span", { className: "quiet" }, state));
    if (last[seat]) box.append(signs(last[seat]));
    if (open.includes(seat) && size) box.append(row(look.hands[seat]));
    return box;
  });
  const quiet = (...words) => make("span", { className: "quiet" }, words.filter(Boolean).join(", "));
  const { field, locked, revolution } = look, lies = field.cards.length > 0;
  const parts = lies ? [row(field.cards), `${field.cards.includes(JOKER) ? field.signs : ""} by ${name(look.owner)}`]
    : [quiet(look.over ? "The game is over." : `The field is empty; to lead: ${name(look.to)}.`)];
  parts.push(quiet(locked && "suits locked", revolution && "revolution: low beats high"));
  return [make("div", { className: "seats" }, ...boxes), make("div", { className: "field" }, ...parts)];
}

// A log whose end is in view, unless somebody reads further up.
export function logged(log, lines) {
  const { scrollTop } = log, reads = log.scrollHeight - scrollTop - log.clientHeight > 40;
  log.replaceChildren(...lines);
  log.scrollTop = reads ? scrollTop : log.scrollHeight;
}

export const logLine = (turn, name) =>
  make("li", {}, make("strong", {}, `${name(turn.seat)}: `), signs(turn.play), turn.events ? ` (${turn.events})` : "");

// A turn as it is said; nothing before the first.
export function spoken(turn, name) {
  return turn ? `${name(turn.seat)}: ${turn.play.words}${turn.events ? `; ${turn.events}` : ""}. ` : "";
}
