/** Short, common and hard to mistake for one another when read out. */
const WORDS = `
acorn actor agile album alert alley amber anchor angle ankle apple apron april arch arena armor arrow aspen atlas attic
audio aunt autumn avenue axis bacon badge bagel baker bamboo banjo barge barn basil basin basket beach bead beak beam
bean bear beaver bench berry bike birch bird bison blade blaze block bloom blue board boat bolt bonus book boot border
bottle bowl brass bread breeze brick bridge brook broom brush bucket buffalo bugle bulb bunny butter button cabin cable
cactus cake camel camera canal candle canoe canvas canyon cargo carpet carrot castle cedar cello chair chalk cheese
cherry chess chest cider cinema circle citrus clay cliff cloak clock cloth cloud clover coach coal coast cobalt cocoa
comet compass copper coral cork corn cotton couch cougar cove crab crane crater creek crown crystal cube cup curtain
cycle daisy dance dawn deck deer delta denim desert desk dew diamond dolphin donkey door dove draft dragon drawer drum
duck dune eagle easel echo elbow elm ember emerald engine falcon fan farm feather fence fern ferry fiddle field fig film
fin finch fir flag flame flask fleet flint flute foam fog forest fork fossil fox frame frost fruit galaxy garden garlic
gate gecko ghost giant ginger glacier glass globe glove goat gold goose grain granite grape grass gravel green grove
guitar gulf hail hammer harbor harp hat hawk hazel hedge helmet hen herb heron hill hive honey horn horse hotel icon
igloo indigo ink iron island ivory ivy jacket jade jar jasmine jazz jewel jungle kayak kettle key king kite kiwi knot
ladder lake lamp lane lantern laser laurel lava lawn leaf lemon lens lilac lily lime linen lion lizard llama lobster
locket lodge log lotus lunar lynx magnet mango maple marble market marsh mask maze meadow melon metal meteor mint mirror
moon moose moss motor mountain mouse mural museum nectar needle nest nickel night noon north nutmeg oak oasis oat ocean
olive onion opal orange orbit orchid otter oval owl oyster paddle paint palm panda paper parrot pasta path peach pear
pearl pebble pelican pencil pepper piano pilot pine planet plate plum pocket polar pond pony poppy prairie prism pulley
puma pumpkin purple puzzle quail quartz quill quilt rabbit radar radio raft rain ranch raven reef ribbon rice ridge river
robin rocket roof rope rose ruby rudder saddle saffron sail salmon salt sand satin scarf school scout seal seed shell
ship silk silver sketch sky slate sled snow soap socket sofa solar spark spice spider spoon spring spruce square squid
stable star steam steel stone stork storm stove straw stream street sugar summit sun sunset swan sweater table tango
teal tempo tent thimble thunder tiger timber toast tomato topaz torch tower train trail tree trout trumpet tulip tundra
tunnel turtle umbrella urban valley vanilla velvet vessel violet violin vision volcano wagon walnut water wave wheat
wheel whale willow window wing winter wolf wool yacht yard yellow zebra zinc`
  .trim()
  .split(/\s+/);

/**
 * Makes a key of a push transport: three short words (docs/reference/acquisition.md#transports). An index keeps it unique in
 * the installation.
 * @param pick a random whole number from 0 up to, and without, the given one
 */
export const pushKeyOf = (pick: (below: number) => number): string =>
  Array.from({ length: 3 }, () => WORDS[pick(WORDS.length)]).join('-');
