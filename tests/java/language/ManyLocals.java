/** More than 256 local slots and more than 256 constants: the wide and ldc_w forms. */
public class ManyLocals {
    static String run(int seed) {
        long l0 = seed * 100003L + 0; long l1 = seed * 100004L + 1; long l2 = seed * 100005L + 2; long l3 = seed * 100006L + 3; long l4 = seed * 100007L + 4; long l5 = seed * 100008L + 5;
        long l6 = seed * 100009L + 0; long l7 = seed * 100010L + 1; long l8 = seed * 100011L + 2; long l9 = seed * 100012L + 3; long l10 = seed * 100013L + 4; long l11 = seed * 100014L + 5;
        long l12 = seed * 100015L + 0; long l13 = seed * 100016L + 1; long l14 = seed * 100017L + 2; long l15 = seed * 100018L + 3; long l16 = seed * 100019L + 4; long l17 = seed * 100020L + 5;
        long l18 = seed * 100021L + 0; long l19 = seed * 100022L + 1; long l20 = seed * 100023L + 2; long l21 = seed * 100024L + 3; long l22 = seed * 100025L + 4; long l23 = seed * 100026L + 5;
        long l24 = seed * 100027L + 0; long l25 = seed * 100028L + 1; long l26 = seed * 100029L + 2; long l27 = seed * 100030L + 3; long l28 = seed * 100031L + 4; long l29 = seed * 100032L + 5;
        long l30 = seed * 100033L + 0; long l31 = seed * 100034L + 1; long l32 = seed * 100035L + 2; long l33 = seed * 100036L + 3; long l34 = seed * 100037L + 4; long l35 = seed * 100038L + 5;
        long l36 = seed * 100039L + 0; long l37 = seed * 100040L + 1; long l38 = seed * 100041L + 2; long l39 = seed * 100042L + 3; long l40 = seed * 100043L + 4; long l41 = seed * 100044L + 5;
        long l42 = seed * 100045L + 0; long l43 = seed * 100046L + 1; long l44 = seed * 100047L + 2; long l45 = seed * 100048L + 3; long l46 = seed * 100049L + 4; long l47 = seed * 100050L + 5;
        long l48 = seed * 100051L + 0; long l49 = seed * 100052L + 1; long l50 = seed * 100053L + 2; long l51 = seed * 100054L + 3; long l52 = seed * 100055L + 4; long l53 = seed * 100056L + 5;
        long l54 = seed * 100057L + 0; long l55 = seed * 100058L + 1; long l56 = seed * 100059L + 2; long l57 = seed * 100060L + 3; long l58 = seed * 100061L + 4; long l59 = seed * 100062L + 5;
        long l60 = seed * 100063L + 0; long l61 = seed * 100064L + 1; long l62 = seed * 100065L + 2; long l63 = seed * 100066L + 3; long l64 = seed * 100067L + 4; long l65 = seed * 100068L + 5;
        long l66 = seed * 100069L + 0; long l67 = seed * 100070L + 1; long l68 = seed * 100071L + 2; long l69 = seed * 100072L + 3; long l70 = seed * 100073L + 4; long l71 = seed * 100074L + 5;
        long l72 = seed * 100075L + 0; long l73 = seed * 100076L + 1; long l74 = seed * 100077L + 2; long l75 = seed * 100078L + 3; long l76 = seed * 100079L + 4; long l77 = seed * 100080L + 5;
        long l78 = seed * 100081L + 0; long l79 = seed * 100082L + 1; long l80 = seed * 100083L + 2; long l81 = seed * 100084L + 3; long l82 = seed * 100085L + 4; long l83 = seed * 100086L + 5;
        long l84 = seed * 100087L + 0; long l85 = seed * 100088L + 1; long l86 = seed * 100089L + 2; long l87 = seed * 100090L + 3; long l88 = seed * 100091L + 4; long l89 = seed * 100092L + 5;
        long l90 = seed * 100093L + 0; long l91 = seed * 100094L + 1; long l92 = seed * 100095L + 2; long l93 = seed * 100096L + 3; long l94 = seed * 100097L + 4; long l95 = seed * 100098L + 5;
        long l96 = seed * 100099L + 0; long l97 = seed * 100100L + 1; long l98 = seed * 100101L + 2; long l99 = seed * 100102L + 3; long l100 = seed * 100103L + 4; long l101 = seed * 100104L + 5;
        long l102 = seed * 100105L + 0; long l103 = seed * 100106L + 1; long l104 = seed * 100107L + 2; long l105 = seed * 100108L + 3; long l106 = seed * 100109L + 4; long l107 = seed * 100110L + 5;
        long l108 = seed * 100111L + 0; long l109 = seed * 100112L + 1; long l110 = seed * 100113L + 2; long l111 = seed * 100114L + 3; long l112 = seed * 100115L + 4; long l113 = seed * 100116L + 5;
        long l114 = seed * 100117L + 0; long l115 = seed * 100118L + 1; long l116 = seed * 100119L + 2; long l117 = seed * 100120L + 3; long l118 = seed * 100121L + 4; long l119 = seed * 100122L + 5;
        long l120 = seed * 100123L + 0; long l121 = seed * 100124L + 1; long l122 = seed * 100125L + 2; long l123 = seed * 100126L + 3; long l124 = seed * 100127L + 4; long l125 = seed * 100128L + 5;
        long l126 = seed * 100129L + 0; long l127 = seed * 100130L + 1; long l128 = seed * 100131L + 2; long l129 = seed * 100132L + 3; long l130 = seed * 100133L + 4; long l131 = seed * 100134L + 5;
        int i = seed; long l = seed; float f = seed; double d = seed; Object o = "o" + seed;
        i++; i += 1000; i -= 30000; i += 40000;
        l += l0 ^ l131; f = f / 3 + i; d = d / 7 - l;
        for (int k = 0; k < 5; k++) { i += k; l -= k; f *= 1.5f; d *= -1.25; o = o + "" + k; }
        if (i > 5) { long late = l127 + i; l += late; }
        Object p = o; int[] array = {i}; array[0]++;
        try { array[i] = 3; } catch (ArrayIndexOutOfBoundsException e) { o = e.getMessage(); }
        finally { i += array[0]; }
        l += l0 + l1 + l2 + l3 + l4 + l5 + l6 + l7 + l8 + l9 + l10 + l11 + l12 + l13 + l14 + l15 + l16 + l17 + l18 + l19 + l20 + l21 + l22 + l23 + l24 + l25 + l26 + l27 + l28 + l29 + l30 + l31 + l32 + l33 + l34 + l35 + l36 + l37 + l38 + l39 + l40 + l41 + l42 + l43 + l44 + l45 + l46 + l47 + l48 + l49 + l50 + l51 + l52 + l53 + l54 + l55 + l56 + l57 + l58 + l59 + l60 + l61 + l62 + l63 + l64 + l65 + l66 + l67 + l68 + l69 + l70 + l71 + l72 + l73 + l74 + l75 + l76 + l77 + l78 + l79 + l80 + l81 + l82 + l83 + l84 + l85 + l86 + l87 + l88 + l89 + l90 + l91 + l92 + l93 + l94 + l95 + l96 + l97 + l98 + l99 + l100 + l101 + l102 + l103 + l104 + l105 + l106 + l107 + l108 + l109 + l110 + l111 + l112 + l113 + l114 + l115 + l116 + l117 + l118 + l119 + l120 + l121 + l122 + l123 + l124 + l125 + l126 + l127 + l128 + l129 + l130 + l131;
        return i + " " + l + " " + f + " " + d + " " + o + " " + p;
    }

    static long constants(int n) {
        long sum = n;
        sum = sum * 3 + n / 70000; sum = sum * 3 + n / 70037; sum = sum * 3 + n / 70074; sum = sum * 3 + n / 70111; sum = sum * 3 + n / 70148; sum = sum * 3 + n / 70185; sum = sum * 3 + n / 70222; sum = sum * 3 + n / 70259; sum = sum * 3 + n / 70296;
        sum = sum * 3 + n / 70333; sum = sum * 3 + n / 70370; sum = sum * 3 + n / 70407; sum = sum * 3 + n / 70444; sum = sum * 3 + n / 70481; sum = sum * 3 + n / 70518; sum = sum * 3 + n / 70555; sum = sum * 3 + n / 70592; sum = sum * 3 + n / 70629;
        sum = sum * 3 + n / 70666; sum = sum * 3 + n / 70703; sum = sum * 3 + n / 70740; sum = sum * 3 + n / 70777; sum = sum * 3 + n / 70814; sum = sum * 3 + n / 70851; sum = sum * 3 + n / 70888; sum = sum * 3 + n / 70925; sum = sum * 3 + n / 70962;
        sum = sum * 3 + n / 70999; sum = sum * 3 + n / 71036; sum = sum * 3 + n / 71073; sum = sum * 3 + n / 71110; sum = sum * 3 + n / 71147; sum = sum * 3 + n / 71184; sum = sum * 3 + n / 71221; sum = sum * 3 + n / 71258; sum = sum * 3 + n / 71295;
        sum = sum * 3 + n / 71332; sum = sum * 3 + n / 71369; sum = sum * 3 + n / 71406; sum = sum * 3 + n / 71443; sum = sum * 3 + n / 71480; sum = sum * 3 + n / 71517; sum = sum * 3 + n / 71554; sum = sum * 3 + n / 71591; sum = sum * 3 + n / 71628;
        sum = sum * 3 + n / 71665; sum = sum * 3 + n / 71702; sum = sum * 3 + n / 71739; sum = sum * 3 + n / 71776; sum = sum * 3 + n / 71813; sum = sum * 3 + n / 71850; sum = sum * 3 + n / 71887; sum = sum * 3 + n / 71924; sum = sum * 3 + n / 71961;
        sum = sum * 3 + n / 71998; sum = sum * 3 + n / 72035; sum = sum * 3 + n / 72072; sum = sum * 3 + n / 72109; sum = sum * 3 + n / 72146; sum = sum * 3 + n / 72183; sum = sum * 3 + n / 72220; sum = sum * 3 + n / 72257; sum = sum * 3 + n / 72294;
        sum = sum * 3 + n / 72331; sum = sum * 3 + n / 72368; sum = sum * 3 + n / 72405; sum = sum * 3 + n / 72442; sum = sum * 3 + n / 72479; sum = sum * 3 + n / 72516; sum = sum * 3 + n / 72553; sum = sum * 3 + n / 72590; sum = sum * 3 + n / 72627;
        sum = sum * 3 + n / 72664; sum = sum * 3 + n / 72701; sum = sum * 3 + n / 72738; sum = sum * 3 + n / 72775; sum = sum * 3 + n / 72812; sum = sum * 3 + n / 72849; sum = sum * 3 + n / 72886; sum = sum * 3 + n / 72923; sum = sum * 3 + n / 72960;
        sum = sum * 3 + n / 72997; sum = sum * 3 + n / 73034; sum = sum * 3 + n / 73071; sum = sum * 3 + n / 73108; sum = sum * 3 + n / 73145; sum = sum * 3 + n / 73182; sum = sum * 3 + n / 73219; sum = sum * 3 + n / 73256; sum = sum * 3 + n / 73293;
        sum = sum * 3 + n / 73330; sum = sum * 3 + n / 73367; sum = sum * 3 + n / 73404; sum = sum * 3 + n / 73441; sum = sum * 3 + n / 73478; sum = sum * 3 + n / 73515; sum = sum * 3 + n / 73552; sum = sum * 3 + n / 73589; sum = sum * 3 + n / 73626;
        sum = sum * 3 + n / 73663; sum = sum * 3 + n / 73700; sum = sum * 3 + n / 73737; sum = sum * 3 + n / 73774; sum = sum * 3 + n / 73811; sum = sum * 3 + n / 73848; sum = sum * 3 + n / 73885; sum = sum * 3 + n / 73922; sum = sum * 3 + n / 73959;
        sum = sum * 3 + n / 73996; sum = sum * 3 + n / 74033; sum = sum * 3 + n / 74070; sum = sum * 3 + n / 74107; sum = sum * 3 + n / 74144; sum = sum * 3 + n / 74181; sum = sum * 3 + n / 74218; sum = sum * 3 + n / 74255; sum = sum * 3 + n / 74292;
        sum = sum * 3 + n / 74329; sum = sum * 3 + n / 74366; sum = sum * 3 + n / 74403; sum = sum * 3 + n / 74440; sum = sum * 3 + n / 74477; sum = sum * 3 + n / 74514; sum = sum * 3 + n / 74551; sum = sum * 3 + n / 74588; sum = sum * 3 + n / 74625;
        sum = sum * 3 + n / 74662; sum = sum * 3 + n / 74699; sum = sum * 3 + n / 74736; sum = sum * 3 + n / 74773; sum = sum * 3 + n / 74810; sum = sum * 3 + n / 74847; sum = sum * 3 + n / 74884; sum = sum * 3 + n / 74921; sum = sum * 3 + n / 74958;
        sum = sum * 3 + n / 74995; sum = sum * 3 + n / 75032; sum = sum * 3 + n / 75069; sum = sum * 3 + n / 75106; sum = sum * 3 + n / 75143; sum = sum * 3 + n / 75180; sum = sum * 3 + n / 75217; sum = sum * 3 + n / 75254; sum = sum * 3 + n / 75291;
        sum = sum * 3 + n / 75328; sum = sum * 3 + n / 75365; sum = sum * 3 + n / 75402; sum = sum * 3 + n / 75439; sum = sum * 3 + n / 75476; sum = sum * 3 + n / 75513; sum = sum * 3 + n / 75550; sum = sum * 3 + n / 75587; sum = sum * 3 + n / 75624;
        sum = sum * 3 + n / 75661; sum = sum * 3 + n / 75698; sum = sum * 3 + n / 75735; sum = sum * 3 + n / 75772; sum = sum * 3 + n / 75809; sum = sum * 3 + n / 75846; sum = sum * 3 + n / 75883; sum = sum * 3 + n / 75920; sum = sum * 3 + n / 75957;
        sum = sum * 3 + n / 75994; sum = sum * 3 + n / 76031; sum = sum * 3 + n / 76068; sum = sum * 3 + n / 76105; sum = sum * 3 + n / 76142; sum = sum * 3 + n / 76179; sum = sum * 3 + n / 76216; sum = sum * 3 + n / 76253; sum = sum * 3 + n / 76290;
        sum = sum * 3 + n / 76327; sum = sum * 3 + n / 76364; sum = sum * 3 + n / 76401; sum = sum * 3 + n / 76438; sum = sum * 3 + n / 76475; sum = sum * 3 + n / 76512; sum = sum * 3 + n / 76549; sum = sum * 3 + n / 76586; sum = sum * 3 + n / 76623;
        sum = sum * 3 + n / 76660; sum = sum * 3 + n / 76697; sum = sum * 3 + n / 76734; sum = sum * 3 + n / 76771; sum = sum * 3 + n / 76808; sum = sum * 3 + n / 76845; sum = sum * 3 + n / 76882; sum = sum * 3 + n / 76919; sum = sum * 3 + n / 76956;
        sum = sum * 3 + n / 76993; sum = sum * 3 + n / 77030; sum = sum * 3 + n / 77067; sum = sum * 3 + n / 77104; sum = sum * 3 + n / 77141; sum = sum * 3 + n / 77178; sum = sum * 3 + n / 77215; sum = sum * 3 + n / 77252; sum = sum * 3 + n / 77289;
        sum = sum * 3 + n / 77326; sum = sum * 3 + n / 77363; sum = sum * 3 + n / 77400; sum = sum * 3 + n / 77437; sum = sum * 3 + n / 77474; sum = sum * 3 + n / 77511; sum = sum * 3 + n / 77548; sum = sum * 3 + n / 77585; sum = sum * 3 + n / 77622;
        sum = sum * 3 + n / 77659; sum = sum * 3 + n / 77696; sum = sum * 3 + n / 77733; sum = sum * 3 + n / 77770; sum = sum * 3 + n / 77807; sum = sum * 3 + n / 77844; sum = sum * 3 + n / 77881; sum = sum * 3 + n / 77918; sum = sum * 3 + n / 77955;
        sum = sum * 3 + n / 77992; sum = sum * 3 + n / 78029; sum = sum * 3 + n / 78066; sum = sum * 3 + n / 78103; sum = sum * 3 + n / 78140; sum = sum * 3 + n / 78177; sum = sum * 3 + n / 78214; sum = sum * 3 + n / 78251; sum = sum * 3 + n / 78288;
        sum = sum * 3 + n / 78325; sum = sum * 3 + n / 78362; sum = sum * 3 + n / 78399; sum = sum * 3 + n / 78436; sum = sum * 3 + n / 78473; sum = sum * 3 + n / 78510; sum = sum * 3 + n / 78547; sum = sum * 3 + n / 78584; sum = sum * 3 + n / 78621;
        sum = sum * 3 + n / 78658; sum = sum * 3 + n / 78695; sum = sum * 3 + n / 78732; sum = sum * 3 + n / 78769; sum = sum * 3 + n / 78806; sum = sum * 3 + n / 78843; sum = sum * 3 + n / 78880; sum = sum * 3 + n / 78917; sum = sum * 3 + n / 78954;
        sum = sum * 3 + n / 78991; sum = sum * 3 + n / 79028; sum = sum * 3 + n / 79065; sum = sum * 3 + n / 79102; sum = sum * 3 + n / 79139; sum = sum * 3 + n / 79176; sum = sum * 3 + n / 79213; sum = sum * 3 + n / 79250; sum = sum * 3 + n / 79287;
        sum = sum * 3 + n / 79324; sum = sum * 3 + n / 79361; sum = sum * 3 + n / 79398; sum = sum * 3 + n / 79435; sum = sum * 3 + n / 79472; sum = sum * 3 + n / 79509; sum = sum * 3 + n / 79546; sum = sum * 3 + n / 79583; sum = sum * 3 + n / 79620;
        sum = sum * 3 + n / 79657; sum = sum * 3 + n / 79694; sum = sum * 3 + n / 79731; sum = sum * 3 + n / 79768; sum = sum * 3 + n / 79805; sum = sum * 3 + n / 79842; sum = sum * 3 + n / 79879; sum = sum * 3 + n / 79916; sum = sum * 3 + n / 79953;
        return sum + "late constant".length() + (long) (n * 1.375f) + (long) (n * 2.625);
    }

    public static void main(String[] args) {
        System.out.println(run(1));
        System.out.println(run(-77));
        System.out.println(run(Integer.MAX_VALUE));
        System.out.println(constants(123456789));
        System.out.println(constants(Integer.MIN_VALUE));
    }
}
